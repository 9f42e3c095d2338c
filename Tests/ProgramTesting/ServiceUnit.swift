package import Foundation
import TestSupport
import Testing

/// A systemd unit of the packages, as it is installed for a built program.
package struct ServiceUnit {
    /// The folder of all units.
    package static let folder = URL(filePath: #filePath)
        .appending(path: "../../../Packaging/systemd").standardized

    private let program: String
    package let text: String

    package init(of program: String) throws {
        self.program = program
        text = try String(
            contentsOf: Self.folder.appending(path: "\(program).service"),
            encoding: .utf8
        ).replacing("@BIN@/\(program)", with: BuiltProducts.path(of: program))
    }

    /// All lines with one of these settings, in their order.
    package func lines(with names: Set<Substring>) -> [Substring] {
        text.split(separator: "\n").filter { line in
            line.firstIndex(of: "=").map { names.contains(line[..<$0]) } ?? false
        }
    }

    package func setting(_ name: String) -> String? {
        lines(with: [name[...]]).first.map { String($0.dropFirst(name.count + 1)) }
    }

    package var systemCallFilters: [String] {
        lines(with: ["SystemCallFilter"]).map { String($0.dropFirst("SystemCallFilter=".count)) }
    }

    /// Expects that systemd accepts this unit and `others`, and rates its exposure as low.
    package func expectAccepted(with others: [String] = []) throws {
        let installed = try TemporaryFolder()
        let path = try installed.write(text, to: "\(program).service")
        // A lower rating is not possible for a service with files and a network.
        let check = try FinishedProcess.run(
            "systemd-analyze",
            ["security", "--offline=true", "--threshold=15", "--no-pager", path]
        )
        #expect(check.exitCode == 0, "\(check.output)")
        let reading = try FinishedProcess.run(
            "systemd-analyze",
            ["verify", "--man=no", path] + others
        )
        #expect(reading.exitCode == 0)
        #expect(!reading.errorOutput.contains(program), "\(reading.errorOutput)")
    }

    /// Installs system call filters, and then runs the program after these words.
    package static func confined(to filters: [String]) -> [String] {
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

    /// Makes paths read-only, as `ReadOnlyPaths` does, and then runs the program after these words.
    ///
    /// The next word has the paths, one a line.
    package static let readOnly = [
        "unshare", "--user", "--map-root-user", "--mount", "bash", "-euc",
        """
        for path in $0; do
            mount --bind "$path" "$path"
            mount -o remount,bind,ro "$path"
        done
        exec "$@"
        """,
    ]
}
