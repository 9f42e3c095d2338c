import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The systemd unit, checked by systemd and by the kernel.
@Suite struct `The systemd unit of countersign-acs` {
    private let unit: ServiceUnit

    init() throws {
        unit = try ServiceUnit(of: "countersign-acs")
    }

    @Test func `systemd accepts the unit and rates its exposure as low`() throws {
        try unit.expectAccepted()
    }

    @Test func `the service has a user of its own, and writes to its state folder only`() {
        let settings = unit.lines(
            with: [
                "User", "Group", "ReadWritePaths", "ReadOnlyPaths", "StateDirectory",
                "ProtectSystem",
            ]
        )
        #expect(
            settings == [
                "User=countersign-acs", "Group=countersign-acs", "StateDirectory=countersign-acs",
                "ReadOnlyPaths=-/etc/countersign-acs", "ProtectSystem=strict",
            ]
        )
    }

    @Test func `the service has limited memory, writes no core file, and is restarted`() {
        #expect(unit.setting("MemoryMax") == "2G")
        #expect(unit.setting("LimitCORE") == "0")
        #expect(unit.setting("Restart") == "on-failure")
        #expect(unit.setting("StartLimitIntervalSec") == "0")
    }

    /// The service of a verifier has no setting that protects it more.
    @Test func `the service is protected as the verifier is`() throws {
        let verifier = try ServiceUnit(of: "countersignd")
        let names: Set<Substring> = Set(
            verifier.text.split(separator: "\n").compactMap { line in
                line.firstIndex(of: "=").map { line[..<$0] }
            }
        )
        let protections = names.filter { name in
            ["Protect", "Private", "Restrict", "Lock", "Memory", "SystemCall", "Capability", "No"]
                .contains { name.hasPrefix($0) } || ["UMask", "RemoveIPC"].contains(name)
        }
        #expect(protections.count > 20)
        #expect(unit.lines(with: protections) == verifier.lines(with: protections))
    }
}

@Suite(.needsReferenceCheckers) struct `An ACS with the limits of its unit` {
    private func expectPurchase(
        in premises: IssuerPremises,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let purchase = try Purchase(in: premises)
        _ = try purchase.creq("show")
        try premises.approve()
        let result = try purchase.result()
        #expect(result["transStatus"] as? String == "Y", sourceLocation: location)
        let end = try purchase.creq("continue")
        #expect(end.text("cres", "transStatus") == "Y", sourceLocation: location)
    }

    @Test func `completes a purchase with the unit's system call filter`() throws {
        let filters = try ServiceUnit(of: "countersign-acs").systemCallFilters
        #expect(filters.count == 2)
        let premises = try IssuerPremises()
        premises.crash()
        try premises.start(by: ServiceUnit.confined(to: filters))
        try expectPurchase(in: premises)
        #expect(try premises.stop().exitCode == 0)

        // The filter is active: a server without a network does not start.
        #expect(throws: RunningServer.EndedEarly.self) {
            try premises.start(by: ServiceUnit.confined(to: filters + ["~@network-io"]))
        }
    }

    @Test(
        .enabled("a mount namespace is needed") {
            try FinishedProcess.run("env", ServiceUnit.readOnly + ["/tmp", "true"]).exitCode == 0
        }
    )
    func `completes a purchase without write access to keys and configuration`() throws {
        let premises = try IssuerPremises()
        premises.crash()
        let names = ["acs.json", "encryption", "issuer-token", "verifier-token", "pki"]
        let paths = names.map(premises.folder.path).joined(separator: "\n")
        try premises.start(by: ServiceUnit.readOnly + [paths])
        try expectPurchase(in: premises)
        #expect(try premises.stop().exitCode == 0)

        // The same files, with a command that writes keys.
        let rotation = try FinishedProcess.run(
            "env",
            ServiceUnit.readOnly + [
                paths, ACSFolder.program, "rotate", "--add-key", "--config",
                premises.folder.configuration,
            ]
        )
        #expect(rotation.exitCode != 0, "\(rotation.output)")
        #expect(try premises.folder.run("rotate", "--add-key").exitCode == 0)
    }
}
