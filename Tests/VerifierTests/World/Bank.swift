import Cryptography
import OneTimePassword
import TestSupport
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
    let clock: TestClock
    let agreementKey: P256.PrivateKey
    /// Gone with the last bank that uses it.
    private let folder: TemporaryFolder

    init(policy: String = "{}") async throws {
        let premises = try Premises()
        try premises.createStore()
        try self.init(premises)
        try await verifier.begin()
        try await furnish(policy: policy)
    }

    /// One over a store that is there.
    init(_ premises: Premises, journal: Journal? = nil, over store: (any Database)? = nil) throws {
        database = try store ?? premises.openStore()
        clock = premises.clock
        agreementKey = premises.agreementKey
        folder = premises.folder
        verifier = Verifier(
            database: database,
            keys: premises.keys,
            agreementKey: agreementKey,
            journal: journal,
            clock: clock.verifierClock
        )
    }

    func furnish(policy: String = "{}") async throws {
        try await verifier.setPolicy(policy, of: Self.enterprise, by: .operatorCommand)
        _ = try await verifier.addAccount(Self.account, by: .operatorCommand)
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
