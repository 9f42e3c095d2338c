package import Cryptography
import Foundation
import OneTimePassword
import Sealing
package import Storage
import TestSupport
package import TransactionApproval

@testable package import Verification

/// A verifier over a real store, with one enterprise and one account.
package struct Bank: Sendable {
    package static let enterprise = EnterpriseID(checked: "bank")
    package static let account = account("4711")
    package static let core = ChangeAuthor.token(name: "core")

    package static func account(_ id: String) -> AccountReference {
        AccountReference(
            enterprise: enterprise,
            key: AccountKey(type: AccountType(checked: "main"), id: AccountID(checked: id))
        )
    }

    package private(set) var verifier: Verifier
    package private(set) var database: any Database
    package let clock: TestClock
    package private(set) var agreementKey: P256.PrivateKey
    private var nextAgreementKey: P256.PrivateKey?
    private let keys: KeyEncryptionKeys
    private let journal: Journal?
    private let place: Place

    /// The store's address, and the owner of its folder, which is removed with the last user.
    private struct Place: Sendable {
        let store: StoreAddress
        let owner: any Sendable
    }

    /// A new bank.
    package init(on kind: StoreKind = .current, policy: String = "{}") async throws {
        let folder = try TemporaryFolder()
        try self.init(
            at: Place(store: kind.newStore(in: folder), owner: folder),
            keys: try KeyEncryptionKeys([try .random(version: 1)]).unwrapped(),
            agreementKey: try P256.PrivateKey()
        )
        try await verifier.begin()
        try await populate(policy: policy)
    }

    /// A bank over an existing store.
    package init(_ premises: Premises, journal: Journal? = nil, over store: (any Database)? = nil)
        throws
    {
        try self.init(
            at: Place(store: premises.store, owner: premises),
            keys: premises.keys,
            agreementKey: premises.agreementKey,
            clock: premises.clock,
            journal: journal,
            over: store
        )
    }

    private init(
        at place: Place,
        keys: KeyEncryptionKeys,
        agreementKey: P256.PrivateKey,
        clock: TestClock = TestClock(),
        journal: Journal? = nil,
        over store: (any Database)? = nil
    ) throws {
        self.place = place
        self.keys = keys
        self.agreementKey = agreementKey
        self.clock = clock
        self.journal = journal
        database = try store ?? place.store.open(migrations: Schema.migrations)
        verifier = Verifier(
            database: database,
            keys: KeyRing(keys),
            agreementKey: agreementKey,
            journal: journal,
            clock: clock.verifierClock
        )
    }

    package func populate(policy: String = "{}") async throws {
        try await verifier.checkKeys()
        try await verifier.addEnterprise(Self.enterprise, policy: policy, by: .operatorCommand)
        _ = try await verifier.addAccount(Self.account, by: .operatorCommand)
    }

    /// Closes and reopens the store, which loses everything that was only in memory.
    package mutating func restart() async throws {
        await database.close()
        database = try openAgain()
        verifier = verifier(over: database)
    }

    /// Moves the clock to the store's time, which another process may have advanced.
    func catchUp() async throws {
        let seen = try await read { ledger throws(StoreFailure) in try ledger.state().audit.moment }
        if clock.now < seen { clock.advance(by: seen.elapsed(since: clock.now)) }
    }

    /// Continues with another verifier of the store.
    package mutating func use(_ other: Verifier) { verifier = other }

    /// Continues with other agreement keys, as in a rotation.
    package mutating func agree(with current: P256.PrivateKey, next: P256.PrivateKey? = nil) {
        (agreementKey, nextAgreementKey) = (current, next)
        verifier = verifier(over: database)
    }

    /// A second connection, as another program would have it.
    package func openAgain() throws -> any Database {
        try place.store.open(migrations: Schema.migrations)
    }

    /// The same verifier over another database object.
    package func verifier(
        over database: any Database,
        changesWithin interval: Duration = ChangeNotifier.defaultInterval,
        pushesPerMinute: Int? = nil
    ) -> Verifier {
        Verifier(
            database: database,
            keys: KeyRing(keys),
            agreementKey: agreementKey,
            nextAgreementKey: nextAgreementKey,
            journal: nil,
            clock: clock.verifierClock,
            changesWithin: interval,
            pushesPerMinute: pushesPerMinute
        )
    }

    /// Makes the journal sign everything now, as it does every minute.
    package func journalNow() async throws { try await journal.unwrapped().checkpoint() }

    package struct Unexpected: Error {
        package init() {}
    }

    /// A payment to approve, with the number that the bank shows.
    package func payShowingNumber(
        _ minorUnits: UInt64 = 47_11,
        from account: AccountReference = account,
        referring reference: String? = nil,
        by types: AuthenticationTypes? = nil
    ) async throws -> (Transaction, TypedNumber?) {
        let request = TransactionRequest(
            account: account,
            content: try .payment(of: minorUnits),
            reference: reference.map { ExternalReference(checked: $0) },
            authentication: types
        )
        let result = try await verifier.request(request, by: Self.core)
        guard case .created(let transaction, let number) = result else { throw Unexpected() }
        return (transaction, number)
    }

    package func pay(
        _ minorUnits: UInt64 = 47_11,
        from account: AccountReference = account,
        referring reference: String? = nil,
        by types: AuthenticationTypes? = nil
    ) async throws -> Transaction {
        try await payShowingNumber(minorUnits, from: account, referring: reference, by: types).0
    }
}

// MARK: Reading the store

extension Bank {
    package func state(of transaction: Transaction) async throws -> TransactionRecord.State? {
        try await read { ledger throws(StoreFailure) in
            try ledger.transaction(transaction.id)?.state
        }
    }

    package func credential(
        _ kind: CredentialKind = .user,
        of phone: Phone
    ) async throws -> CredentialState {
        let id = phone.id
        let state = try await read { ledger throws(StoreFailure) in
            try ledger.credentialState(kind, on: id)
        }
        return try state.unwrapped()
    }

    /// All events, oldest first.
    package func events() async throws -> [Event] {
        try await read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: 0, limit: .max).map(\.event)
        }
    }

    package func count(of kind: Event.Kind) async throws -> Int {
        try await events().count { $0.kind == kind }
    }

    package func read<Outcome: Sendable>(
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws -> Outcome {
        let ring = verifier.keyRing
        return try await database.read { connection throws(StoreFailure) in
            try work(Ledger(connection, ring))
        }
    }

    /// Every row of every table, to show that nothing changed.
    package func contents() async throws -> [[Row]] {
        try await database.read { connection throws(StoreFailure) in
            var tables: [[Row]] = []
            for statement in selectEverything { tables.append(try connection.rows(statement, [])) }
            return tables
        }
    }

    /// Whether the store contains these bytes, raw or in hexadecimal.
    package func isOnDisk(_ bytes: some Sequence<UInt8>) throws -> Bool {
        try place.store.contains(bytes)
    }

    /// Simulates another restore from a backup.
    package func raiseEpoch() async throws {
        let ring = verifier.keyRing
        try await database.write { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            try ledger.begin(Epoch(try ledger.state().epoch.value + 1))
        }
    }
}

private let selectEverything = [
    Statement("SELECT * FROM verifier ORDER BY id"),
    Statement("SELECT * FROM enterprises ORDER BY id"),
    Statement("SELECT * FROM accounts ORDER BY enterprise, type, id"),
    Statement("SELECT * FROM activations ORDER BY id"),
    Statement("SELECT * FROM devices ORDER BY id"),
    Statement("SELECT * FROM credentials ORDER BY device, kind"),
    Statement("SELECT * FROM transactions ORDER BY id"),
    Statement("SELECT * FROM attempts ORDER BY device, id"),
    Statement("SELECT * FROM archived_transactions ORDER BY id"),
    Statement("SELECT * FROM logins ORDER BY id"),
    Statement("SELECT * FROM imports ORDER BY name"),
    Statement("SELECT * FROM rejected_rows ORDER BY import, line"),
    Statement("SELECT * FROM audit ORDER BY sequence"),
    Statement("SELECT * FROM outbox ORDER BY sequence, target, device"),
    Statement("SELECT * FROM bank_tokens ORDER BY id"),
    Statement("SELECT * FROM bank_calls ORDER BY enterprise, idempotency_key"),
    Statement("SELECT * FROM requested_calls ORDER BY id"),
]

extension Transaction.Content {
    package static func cardPayment(of minorUnits: UInt64) throws -> Transaction.Content {
        let shop = try Transaction.Payee(
            name: DisplayText("CoffeeHouse2 (Dæmø)"),
            recipient: .merchant(DisplayText("shop 0004445001 of acquirer 271829, Germany"))
        )
        return try Transaction.Content(
            context: .payment,
            title: DisplayText("Card payment"),
            amounts: [try .of(minorUnits)],
            payees: [shop]
        )
    }

    package static func payment(of minorUnits: UInt64) throws -> Transaction.Content {
        let account = try AccountNumber("DE89370400440532013000").unwrapped()
        return try Transaction.Content(
            context: .payment,
            title: DisplayText("Transfer"),
            amounts: [try .of(minorUnits)],
            payees: [
                try Transaction.Payee(name: DisplayText("Grocer"), recipient: .account(account))
            ]
        )
    }
}

extension Amount {
    package static func of(_ minorUnits: UInt64, _ currency: String = "EUR") throws -> Amount {
        let currency = try Currency(currency).unwrapped()
        return try Amount(minorUnits: minorUnits, currency: currency).unwrapped()
    }
}
