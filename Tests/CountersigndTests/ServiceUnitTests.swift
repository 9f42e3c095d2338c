import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The systemd unit, checked by systemd and by the kernel.
@Suite struct `The systemd unit of countersignd` {
    private static let folder = URL(filePath: #filePath)
        .appending(path: "../../../Packaging/systemd").standardized.path

    private let unit: String

    init() throws {
        unit = try String(
            contentsOfFile: Self.folder + "/countersignd.service",
            encoding: .utf8
        ).replacing("@BIN@/countersignd", with: BuiltProducts.path(of: "countersignd"))
    }

    @Test func `systemd accepts the unit and rates its exposure as low`() throws {
        let installed = try TemporaryFolder()
        let path = try installed.write(unit, to: "countersignd.service")
        // A lower rating is not possible for a service with files and a network.
        let check = try FinishedProcess.run(
            "systemd-analyze",
            ["security", "--offline=true", "--threshold=15", "--no-pager", path]
        )
        #expect(check.exitCode == 0, "\(check.output)")
        let socket = Self.folder + "/countersignd.socket"
        let reading = try FinishedProcess.run(
            "systemd-analyze",
            ["verify", "--man=no", path, socket]
        )
        #expect(reading.exitCode == 0)
        #expect(!reading.errorOutput.contains("countersignd"), "\(reading.errorOutput)")
    }

    @Test func `the server works under the unit's system call filter`() async throws {
        let premises = try Premises.initialized()
        try premises.serve(with: nil)
        try await premises.fill(activations: 0)
        let filters = unit.matches(of: /SystemCallFilter=(.*)/).map { String($0.1) }
        #expect(filters.count == 2)
        let verifier = try RunningVerifier(premises, by: Self.confined(to: filters))
        let result = try Fetched(
            "http://127.0.0.1:\(verifier.port)/bank/v1/enterprises/bank/accounts/main/4713",
            "-XPUT",
            "-H",
            "Authorization: Bearer \(try premises.token("core", "issuer"))"
        )
        #expect(result.status == 201)
        #expect(verifier.stop() == 0)

        // The filter is active: a server without a network does not start.
        #expect(throws: RunningVerifier.EndedEarly.self) {
            try RunningVerifier(premises, by: Self.confined(to: filters + ["~@network-io"]))
        }
    }

    private func setting(_ name: String) -> String? {
        unit.split(separator: "\n").first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    /// Otherwise an attacker's flood could end other programs, or the service for good.
    @Test func `the service has limited memory, and is restarted without a limit`() throws {
        #expect(setting("MemoryMax") == "1G")
        #expect(setting("Restart") == "on-failure")
        #expect(setting("RestartSec") == "5s")
        #expect(setting("StartLimitIntervalSec") == "0")
        let page = try String(
            contentsOfFile: Self.folder + "/../../docs/operate/install.md",
            encoding: .utf8
        )
        #expect(page.contains("1 GiB (`MemoryMax`)"))
    }

    @Test func `the service gets write access to its state folder only`() {
        let names = ["ReadWritePaths", "ReadOnlyPaths", "StateDirectory", "ProtectSystem"]
        let settings = unit.split(separator: "\n").filter { line in
            names.contains { line.hasPrefix($0 + "=") }
        }
        #expect(
            settings == [
                "StateDirectory=countersign", "ReadOnlyPaths=-/etc/countersign",
                "ProtectSystem=strict",
            ]
        )
    }

    @Test(
        .enabled("a mount namespace is needed") {
            try FinishedProcess.run("env", readOnly + ["/tmp", "true"]).exitCode == 0
        }
    )
    func `the server works without write access to keys and configuration`() async throws {
        let premises = try Premises.initialized()
        try premises.serve(with: nil)
        try await premises.fill(activations: 0)
        let paths = premises.path("keys") + "\n" + premises.configuration
        let verifier = try RunningVerifier(premises, by: readOnly + [paths])
        let result = try Fetched(
            "http://127.0.0.1:\(verifier.port)/bank/v1/enterprises/bank/accounts/main/4713",
            "-XPUT",
            "-H",
            "Authorization: Bearer \(try premises.token("core", "issuer"))"
        )
        #expect(result.status == 201)
        #expect(verifier.stop() == 0)

        // The same folders, with a command that writes keys.
        let rotation = try FinishedProcess.run(
            "env",
            readOnly + [
                paths, BuiltProducts.path(of: "countersignd"), "rotate", "--add-key", "--config",
                premises.configuration,
            ]
        )
        #expect(rotation.exitCode != 0, "\(rotation.output)")
        #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
    }

    /// Installs the unit's system call filter, and then runs the program.
    private static func confined(to filters: [String]) -> [String] {
        let script = """
            import errno, os, seccomp, subprocess, sys

            def expanded(name):
                if not name.startswith("@"):
                    return {name}

                lines = subprocess.run(["systemd-analyze", "syscall-filter", name], text=True,
                    check=True, stdout=subprocess.PIPE).stdout.splitlines()
                names = [line.strip() for line in lines if line.startswith("    ")]
                return set().union(*(expanded(name) for name in names if name[0] != "#"))

            allowed = set()
            for line in sys.argv[1].splitlines():
                names = set().union(*(expanded(name) for name in line.lstrip("~").split()))
                allowed = allowed - names if line.startswith("~") else allowed | names

            kernel = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
            for name in allowed:
                number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, name)
                if number >= 0:
                    kernel.add_rule(seccomp.ALLOW, number)
            kernel.load()
            os.execv(sys.argv[2], sys.argv[2:])
            """
        return ["/usr/bin/python3", "-c", script, filters.joined(separator: "\n")]
    }
}

/// Makes paths read-only, as `ReadOnlyPaths` does, and then runs the program.
private let readOnly = [
    "unshare", "--user", "--map-root-user", "--mount", "bash", "-euc",
    """
    for path in $0; do
        mount --bind "$path" "$path"
        mount -o remount,bind,ro "$path"
    done
    exec "$@"
    """,
]
