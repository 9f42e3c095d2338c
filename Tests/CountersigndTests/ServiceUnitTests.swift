import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The systemd unit, checked by systemd and by the kernel.
@Suite struct `The systemd unit of countersignd` {
    private let unit: ServiceUnit

    init() throws {
        unit = try ServiceUnit(of: "countersignd")
    }

    @Test func `systemd accepts the unit and rates its exposure as low`() throws {
        let socket = ServiceUnit.folder.appending(path: "countersignd.socket").path
        try unit.expectAccepted(with: [socket])
    }

    @Test func `the server works under the unit's system call filter`() async throws {
        let premises = try Premises.initialized()
        try premises.serve(with: nil)
        try await premises.fill(activations: 0)
        let filters = unit.systemCallFilters
        #expect(filters.count == 2)
        let verifier = try RunningVerifier(premises, by: ServiceUnit.confined(to: filters))
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
            try RunningVerifier(premises, by: ServiceUnit.confined(to: filters + ["~@network-io"]))
        }
    }

    /// Otherwise an attacker's flood could end other programs, or the service for good.
    @Test func `the service has limited memory, and is restarted without a limit`() throws {
        #expect(unit.setting("MemoryMax") == "2G")
        #expect(unit.setting("Restart") == "on-failure")
        #expect(unit.setting("RestartSec") == "5s")
        #expect(unit.setting("StartLimitIntervalSec") == "0")
        let page = try String(
            contentsOf: ServiceUnit.folder.appending(path: "../../docs/operate/install.md"),
            encoding: .utf8
        )
        #expect(page.contains("2 GiB (`MemoryMax`)"))
    }

    @Test func `the service gets write access to its state folder only`() {
        let settings = unit.lines(
            with: ["ReadWritePaths", "ReadOnlyPaths", "StateDirectory", "ProtectSystem"]
        )
        #expect(
            settings == [
                "StateDirectory=countersign", "ReadOnlyPaths=-/etc/countersign",
                "ProtectSystem=strict",
            ]
        )
    }

    @Test(
        .enabled("a mount namespace is needed") {
            try FinishedProcess.run("env", ServiceUnit.readOnly + ["/tmp", "true"]).exitCode == 0
        }
    )
    func `the server works without write access to keys and configuration`() async throws {
        let premises = try Premises.initialized()
        try premises.serve(with: nil)
        try await premises.fill(activations: 0)
        let paths = premises.path("keys") + "\n" + premises.configuration
        let verifier = try RunningVerifier(premises, by: ServiceUnit.readOnly + [paths])
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
            ServiceUnit.readOnly + [
                paths, BuiltProducts.path(of: "countersignd"), "rotate", "--add-key", "--config",
                premises.configuration,
            ]
        )
        #expect(rotation.exitCode != 0, "\(rotation.output)")
        #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
    }
}
