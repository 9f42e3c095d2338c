import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// An attacker writes rows that no rotation can move, so that an old key stays valid.
@Suite(.onEveryStore) struct `A rotation of keys over forged rows` {
    private let premises: Premises
    private let bank: Bank
    private let phone: Phone
    private let victim: Phone
    private let both: KeyEncryptionKeys

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin()
        phone = try await bank.activate()
        (_, victim) = try await bank.activate("4712")
        try KeyFile.addEncryptionKey(at: premises.keysPath)
        both = try KeyFile.encryptionKeys(in: .file(premises.keysPath))
    }

    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let edit: @Sendable (Premises) -> String
        let row: @Sendable (Phone) -> String

        init(
            _ name: String,
            by edit: @escaping @Sendable (Premises) -> String,
            on row: @escaping @Sendable (Phone) -> String
        ) {
            (testDescription, self.edit, self.row) = (name, edit, row)
        }
    }

    private static let attacks = [
        Attack("an edited device") { _ in
            "UPDATE devices SET name = 'Other' WHERE account_id = '4712'"
        } on: {
            "devices id=\($0.id)"
        },
        Attack("a tag under version 0") { premises in
            premises.inEngine(
                """
                UPDATE devices SET tag = CAST(x'00000000' || substr(tag, 5) AS BLOB)
                WHERE account_id = '4712'
                """
            )
        } on: {
            "devices id=\($0.id)"
        },
        Attack("a seed of another device") { _ in
            """
            UPDATE credentials SET seed = (SELECT seed FROM credentials WHERE kind = 1 AND device
                IN (SELECT id FROM devices WHERE account_id <> '4712'))
            WHERE kind = 1 AND device IN (SELECT id FROM devices WHERE account_id = '4712')
            """
        } on: {
            "credentials device=\($0.id) kind=1"
        },
        Attack("a malformed seed") { premises in
            premises.inEngine(
                """
                UPDATE credentials SET seed = CAST(x'0100000000' AS BLOB)
                WHERE kind = 1 AND device IN (SELECT id FROM devices WHERE account_id = '4712')
                """
            )
        } on: {
            "credentials device=\($0.id) kind=1"
        },
    ]

    @Test(arguments: attacks)
    func `SEC-101: ends, and names them`(_ attack: Attack) async throws {
        try premises.tamper(attack.edit(premises))
        bank.verifier.use(both)
        let rotation = try await bank.verifier.rotateKeys(by: .operatorCommand, rowsAtOnce: 1)
        #expect(rotation.forged.names == [attack.row(victim)])
        #expect(rotation.locked.count == 0)
        #expect(rotation.isComplete)
        #expect(bank.verifier.forgeries.count == 1)
        #expect(try await bank.verifier.endKeys(olderThan: 2, by: .operatorCommand))

        try KeyFile.removeEncryptionKeys(olderThan: 2, at: premises.keysPath)
        let alone = try KeyFile.encryptionKeys(in: .file(premises.keysPath))
        bank.verifier.use(alone)
        try await phone.checkPIN(in: bank)
        await #expect(throws: (any Error).self) { try await victim.checkPIN(in: bank) }
    }

    /// Otherwise a node with the old key would believe a row that a removed key authenticates.
    @Test func `SEC-101: does not end before an authentic row next to them is moved`()
        async throws
    {
        try premises.keepRows(of: .devices)
        bank.verifier.use(both)
        #expect(try await bank.verifier.rotateKeys(by: .operatorCommand).isComplete)
        try premises.putBackRows(of: .devices)
        try premises.tamper("UPDATE devices SET name = 'Other' WHERE account_id = '4712'")
        #expect(try await !bank.verifier.endKeys(olderThan: 2, by: .operatorCommand))
        #expect(try await bank.verifier.rotateKeys(by: .operatorCommand).forged.count == 1)
        #expect(try await bank.verifier.endKeys(olderThan: 2, by: .operatorCommand))
    }

    /// A seed whose rotation was undone still needs its key.
    @Test func `SEC-101: does not end before an authentic secret next to them is moved`()
        async throws
    {
        try premises.keepRows(of: .credentials)
        bank.verifier.use(both)
        #expect(try await bank.verifier.rotateKeys(by: .operatorCommand).isComplete)
        try premises.putBackRows(of: .credentials)
        try premises.tamper(Self.attacks[2].edit(premises))
        #expect(try await !bank.verifier.endKeys(olderThan: 2, by: .operatorCommand))
        let rotation = try await bank.verifier.rotateKeys(by: .operatorCommand)
        #expect(rotation.forged.names == ["credentials device=\(victim.id) kind=1"])
        #expect(try await bank.verifier.endKeys(olderThan: 2, by: .operatorCommand))
    }
}

/// An attacker writes another id while a node starts, so that the node never trusts the right one.
@Suite(.onEveryStore) struct `A forged id of the store` {
    @Test func `SEC-101: is not believed, and the node works when the id is right again`()
        async throws
    {
        let scene = try await ForgeryScene()
        let database = try scene.bank.openAgain()
        try scene.premises.keepRows(of: .verifier)
        try scene.premises.tamper(
            scene.premises.inEngine("UPDATE verifier SET store_id = CAST(x'0102' AS BLOB)")
        )
        let starting = scene.bank.verifier(over: database)
        await #expect(throws: Verifier.Failure.store(.forged(row: "verifier id=1"))) {
            _ = try await starting.status(of: scene.phone.id)
        }
        #expect(starting.forgeries.count == 1)
        try scene.premises.putBackRows(of: .verifier)
        #expect(try await starting.status(of: scene.phone.id) != nil)
        await database.close()
    }
}
