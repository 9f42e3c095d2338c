import ProgramTesting
import Sealing
import Storage
import TransactionApproval
import Verification

extension Premises {
    static let account = AccountReference(
        enterprise: EnterpriseID(checked: "bank"),
        key: AccountKey(type: AccountType(checked: "main"), id: AccountID(checked: "4711"))
    )

    var keys: KeyEncryptionKeys {
        get throws { try KeyFile.encryptionKeys(in: .file(path("keys/encryption"))) }
    }

    /// A verifier in this process, and its store.
    ///
    /// Without its journal, its records are not signed.
    func open(journaled: Bool = true) async throws -> (Verifier, SQLiteDatabase) {
        let store = try SQLiteDatabase(path: store, migrations: Schema.migrations)
        let ring = KeyRing(try keys, readFrom: path("keys/encryption"))
        let journal = try await Journal.open(
            at: path("journal/journal"),
            signingWith: try KeyFile.privateKey(in: .file(path("keys/checkpoint"))),
            over: KeyedStore(store, ring)
        )
        let verifier = Verifier(
            database: store,
            keys: ring,
            agreementKey: try KeyFile.privateKey(in: .file(path("keys/agreement"))),
            journal: journaled ? journal : nil,
            clock: .system(notBefore: .earliest)
        )
        return (verifier, store)
    }

    /// Creates activations of one account; each revokes the previous one.
    ///
    /// A new enterprise and account are 2 records, the first activation is 1 record,
    /// and each further activation is 2 records.
    func fill(activations: Int = 1) async throws {
        let (verifier, store) = try await open()
        try await verifier.addEnterprise(
            Self.account.enterprise,
            policy: "{}",
            by: .operatorCommand
        )
        _ = try await verifier.addAccount(Self.account, by: .operatorCommand)
        for _ in 0..<activations {
            _ = try await verifier.issueActivation(for: Self.account, by: .operatorCommand)
        }
        await store.close()
    }
}
