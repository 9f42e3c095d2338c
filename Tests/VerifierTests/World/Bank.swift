import Cryptography
import OneTimePassword
import Testing
import TransactionApproval
import Verifier

/// A verifier over a real store, with one enterprise and one account.
struct Bank: Sendable {
    static let enterprise = EnterpriseID(checked: "bank")
    static let account = AccountReference(
        enterprise: enterprise,
        key: AccountKey(type: AccountType(checked: "main"), id: AccountID(checked: "4711"))
    )

    let verifier: Verifier
    let database: any Database
    let clock = TestClock()
    let agreementKey: P256.PrivateKey
    private let keys: KeyEncryptionKeys
    /// Gone with the last bank that uses it.
    let store: TestStore

    init(on kind: StoreKind = .sqlite, policy: String = "{}") async throws {
        store = try TestStore(kind, migrations: Schema.migrations)
        agreementKey = try P256.PrivateKey()
        let key = try #require(
            KeyEncryptionKeys.Key(version: 1, bytes: try SecureBytes.random(count: 32))
        )
        keys = try #require(KeyEncryptionKeys([key]))
        database = try store.open(migrations: Schema.migrations)
        verifier = Verifier(
            database: database,
            keys: keys,
            agreementKey: agreementKey,
            clock: clock.verifierClock
        )
        try await verifier.begin()
        try await verifier.setPolicy(policy, of: Self.enterprise, by: .operatorCommand)
        _ = try await verifier.addAccount(Self.account, by: .operatorCommand)
    }

    /// Another verifier on the same store, as a second process has it.
    func anotherVerifier() throws -> Verifier {
        Verifier(
            database: try store.open(migrations: Schema.migrations),
            keys: keys,
            agreementKey: agreementKey,
            clock: clock.verifierClock
        )
    }

    /// Goes through a whole activation, as a device does.
    func activate(_ account: AccountReference = account) async throws -> Phone {
        let issued = try await verifier.issueActivation(for: account, by: .operatorCommand)
            .unwrapped()
        let phone = try Phone(agreeingWith: agreementKey.publicKey)
        let submitted = try phone.claim(issued.id, issued.code)
        guard case .offered(let offer, let mac) = try await verifier.claim(submitted) else {
            throw Unexpected()
        }
        let commit = try phone.commit(submitted, offer, mac: mac, issued.code)
        guard case .activated = try await verifier.commit(commit) else { throw Unexpected() }
        return phone
    }

    struct Unexpected: Error {}

    /// A payment to approve, as small or large as needed.
    func pay(
        _ minorUnits: UInt64 = 47_11,
        from account: AccountReference = account
    ) async throws -> Transaction {
        let request = TransactionRequest(account: account, content: try .payment(of: minorUnits))
        let answer = try await verifier.request(request, by: .token(name: "core"))
        guard case .created(let transaction, _) = answer else { throw Unexpected() }
        return transaction
    }

    func state(of transaction: Transaction) async throws -> TransactionRecord.State? {
        try await read { ledger throws(StoreFailure) in
            try ledger.transaction(transaction.id)?.state
        }
    }

    func read<Outcome: Sendable>(
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws -> Outcome {
        try await database.read { connection throws(StoreFailure) in
            try work(Ledger(connection))
        }
    }
}

extension Transaction.Content {
    static func payment(of minorUnits: UInt64) throws -> Transaction.Content {
        let euro = try #require(Currency("EUR"))
        let account = try #require(AccountNumber("DE89370400440532013000"))
        return try Transaction.Content(
            context: .payment,
            title: DisplayText("Transfer"),
            amounts: [try #require(Amount(minorUnits: minorUnits, currency: euro))],
            payees: [try Transaction.Payee(name: DisplayText("Grocer"), account: account)]
        )
    }
}
