import Foundation
import ProgramTesting
import Sealing
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierServer

/// A machine whose clock is ahead of the store's last record.
@Suite struct `A clock that is late at start` {
    private let premises: Premises

    private static let nothingToDo =
        "Nothing to do: the clock is not more than a day ahead of the last audit record.\n"

    init() throws {
        premises = try Premises.initialized()
        try premises.serve()
    }

    /// Adds an enterprise with a clock that is so much behind the machine's.
    private func use(hoursAgo hours: Int) async throws {
        let store = try SQLiteDatabase(path: premises.store, migrations: Schema.migrations)
        let clock = VerifierClock.system(notBefore: .earliest)
        let verifier = Verifier(
            database: store,
            keys: KeyRing(try premises.keys, readFrom: premises.path("keys/encryption")),
            agreementKey: try KeyFile.privateKey(in: .file(premises.path("keys/agreement"))),
            journal: nil,
            clock: VerifierClock { clock.now + .seconds(-hours * 3600) }
        )
        let bank = Premises.account.enterprise
        try await verifier.addEnterprise(bank, policy: "{}", by: .operatorCommand)
        await store.close()
    }

    @Test func `by more than a day needs the operator's word`() async throws {
        try await use(hoursAgo: 49)
        for words in [["run"], ["token", "create", "core", "issuer", "--all"], ["rotate"]] {
            let refused = try premises.countersignd(words)
            #expect(refused.exitCode == 75, "\(words)")
            #expect(
                refused.errorOutput.contains(
                    "the last audit record is more than a day old, from"
                ),
                "\(refused.errorOutput)"
            )
            #expect(refused.errorOutput.contains("run countersignd clock"))
        }
        let doctor = try premises.countersignd("doctor")
        #expect(doctor.output.contains("clock: the last audit record is 2 days old"))
        #expect(try premises.countersignd("clock").exitCode == 64)
        let question = try premises.onTerminal("clock", typing: "n\n")
        #expect(question.output.contains("2 days ahead"), "\(question.output)")
        #expect(try premises.countersignd("run").exitCode == 75)

        let accepted = try premises.countersignd("clock", "--yes")
        #expect(accepted.output == "Recorded. The verifier can start.\n", "\(accepted.errorOutput)")
        let record = "SELECT actor FROM audit WHERE kind = 'store.time-recorded'"
        #expect(try premises.sqlite3(record) == "operator")
        #expect(try RunningVerifier(premises).stop() == 0)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
        let again = try premises.countersignd("clock", "--yes")
        #expect(again.output == Self.nothingToDo)
    }

    /// A backup can be of any age, so these commands show the clock themselves.
    @Test func `is shown with the question of a restore`() async throws {
        try await use(hoursAgo: 49)
        let restored = try premises.onTerminal("restore --from-backup", typing: "n\n")
        #expect(restored.output.contains("2 days ahead"), "\(restored.output)")
    }

    @Test func `stops a server inside another program, until it accepts the clock`() async throws {
        try await use(hoursAgo: 49)
        var configuration = VerifierServer.Configuration(
            origin: "http://127.0.0.1:8080",
            store: .sqlite(path: premises.store),
            journal: premises.path("journal/journal"),
            keys: .init(
                encryption: .file(premises.path("keys/encryption")),
                agreement: premises.path("keys/agreement"),
                response: premises.path("keys/response"),
                checkpoint: premises.path("keys/checkpoint")
            ),
            api: .init(addresses: [.init(host: "127.0.0.1", port: 0)])
        )
        let refused = await #expect(throws: VerifierServer.Failure.self) {
            try await VerifierServer(configuration: configuration).open()
        }
        #expect(refused?.code == .lateClock)
        configuration.acceptsLateClock = true
        let server = VerifierServer(configuration: configuration)
        try await server.open()
        await server.stop()
    }

    @Test func `by less than a day starts`() async throws {
        try await use(hoursAgo: 23)
        #expect(try RunningVerifier(premises).stop() == 0)
    }

    @Test func `does not stop a store without records`() throws {
        #expect(try premises.countersignd("clock", "--yes").output == Self.nothingToDo)
        #expect(try RunningVerifier(premises).stop() == 0)
    }
}
