import ProgramTesting
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

    /// A verifier in this process, as a daemon is one, with its store.
    ///
    /// Without its journal nothing that it does is signed.
    func open(journaled: Bool = true) async throws -> (Verifier, SQLiteDatabase) {
        let store = try SQLiteDatabase(path: store, migrations: Schema.migrations)
        let journal = try await Journal.open(
            at: path("journal/journal"),
            signingWith: try KeyFile.privateKey(in: .file(path("keys/checkpoint"))),
            over: store
        )
        let verifier = Verifier(
            database: store,
            keys: try keys,
            readFrom: path("keys/encryption"),
            agreementKey: try KeyFile.privateKey(in: .file(path("keys/agreement"))),
            journal: journaled ? journal : nil,
            clock: .system(notBefore: .earliest)
        )
        return (verifier, store)
    }

    /// Issues activations of one account, each in place of the one before.
    ///
    /// The enterprise and the account are 2 records where they are new, the first activation of all
    /// is 1, and each further one 2.
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
