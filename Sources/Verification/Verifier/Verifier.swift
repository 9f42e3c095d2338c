package import Cryptography
package import OneTimePassword
package import TransactionApproval

/// Knows accounts, devices, credentials and transactions, and says yes exactly once.
///
/// Each operation opens the secrets that it needs, and then runs its rule in one transaction of the
/// store: verdict, counter, attempts, audit and outbox are durable before anybody is told.
package struct Verifier: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        case store(StoreFailure)
        case machine(SystemFailure)
        /// A record does not open under the keys that are here: it was moved, or a key is missing.
        case sealedRecord(KeyEncryptionKeys.Failure)
        /// The policy breaks a rule; nothing was changed.
        case policy(EnterprisePolicy.Failure)
        /// What was committed cannot be taken down outside of the store, so nobody is told of it.
        case journal(JournalFailure)
    }

    let database: any Database
    let keyRing: KeyRing
    let policies: PolicyShelf
    /// What devices agree with, in activations and rekeys.
    let agreementKey: P256.PrivateKey
    /// Nil only for a store that nothing is decided over, or that is thrown away.
    let journal: Journal?
    private let committed = CommittedHead()
    let clock: VerifierClock
    package let notifier: ChangeNotifier
    /// Nil for no limit.
    let pushBudget: PushBudget?

    /// `keyPath` is the file that the keys came from, and where newer ones will be.
    package init(
        database: any Database,
        keys: KeyEncryptionKeys,
        readFrom keyPath: String? = nil,
        agreementKey: P256.PrivateKey,
        journal: Journal?,
        clock: VerifierClock,
        happeningsWithin interval: Duration = ChangeNotifier.standardInterval,
        pushesPerMinute: Int? = nil
    ) {
        self.database = database
        keyRing = KeyRing(keys, readFrom: keyPath)
        self.agreementKey = agreementKey
        self.journal = journal
        self.clock = clock
        policies = PolicyShelf()
        notifier = ChangeNotifier(of: database, interval: interval)
        pushBudget = pushesPerMinute.map { PushBudget(perMinute: $0) }
    }
}

extension Verifier {
    package var now: Timestamp { clock.now }

    /// Has the store keep the least that there is: one that answers and keeps nothing, because it
    /// is full or a standby, decides nothing.
    package func reachStore() async throws(Failure) {
        try await write { ledger throws(StoreFailure) in try ledger.keepState() }
    }

    /// Whose private half devices agree with.
    package var agreementPublicKey: P256.PublicKey { agreementKey.publicKey }

    /// Gives the outcome once it is committed, and once the journal has what it must have of it.
    func write<Outcome: Sendable>(
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        try await commit { known throws(StoreFailure) in
            try await database.write { connection throws(StoreFailure) in
                let ledger = Ledger(connection, after: known)
                let outcome = try work(ledger)
                ledger.recorded.assertTraced()
                return Committed(outcome: outcome, events: ledger.recorded.events)
            }
        }
    }

    /// Loads, opens what was loaded where nobody who waits for the store waits for that, and writes.
    func write<Loaded, Opened: Sendable, Outcome: Sendable>(
        loading load: @escaping @Sendable (Ledger) throws(StoreFailure) -> Loaded,
        opening open:
            @escaping @Sendable (Loaded) throws(Failure) -> Preparation<Opened, Outcome>,
        _ work: @escaping @Sendable (Opened, Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        typealias Told = Committed<Result<Outcome, Failure>>
        return try await commit { known throws(StoreFailure) in
            try await database.write {
                connection throws(StoreFailure) -> Preparation<Opened, Told> in
                let loaded = try load(Ledger(connection))
                do throws(Failure) {
                    return switch try open(loaded) {
                    case .goOn(let opened): .goOn(with: opened)
                    case .enough(let outcome): .enough(Told(outcome: .success(outcome)))
                    }
                } catch {
                    return .enough(Told(outcome: .failure(error)))
                }
            } _: { opened, connection throws(StoreFailure) -> Told in
                let ledger = Ledger(connection, after: known)
                let outcome = try work(opened, ledger)
                ledger.recorded.assertTraced()
                return Told(outcome: .success(outcome), events: ledger.recorded.events)
            }
        }.get()
    }

    /// What a work came to, and what it put on the audit trail.
    private struct Committed<Outcome: Sendable>: Sendable {
        let outcome: Outcome
        var events = CommittedEvents()
    }

    private func commit<Outcome: Sendable>(
        _ write: (AuditHead) async throws(StoreFailure) -> Committed<Outcome>
    ) async throws(Failure) -> Outcome {
        let made: Committed<Outcome>
        do throws(StoreFailure) {
            made = try await write(try committed.known())
            committed.commit(made.events)
        } catch {
            if error == .rolledBack { committed.stop() }
            if error == .uncertain { committed.doubt() }
            // What was sealed is of no use, and what is sealed next is under a newer key.
            if case .outdatedKey = error { keyRing.readChangedFile() }
            throw .store(error)
        }
        try await settle()
        if made.events.head != nil { notifier.committed(made.events.kinds) }
        return made.outcome
    }

    /// Waits until the journal has all that it must have, whoever caused it.
    ///
    /// Also what somebody else caused: an answer that is told again after the journal failed was
    /// not told before.
    func settle() async throws(Failure) {
        guard let journal else { return }
        if committed.endDoubt() {
            do throws(JournalFailure) {
                try await journal.checkpoint()
            } catch {
                committed.doubt()
                throw .journal(error)
            }
        }
        if let debt = committed.debt {
            do throws(JournalFailure) {
                try await journal.follow(upTo: debt)
            } catch {
                throw .journal(error)
            }
            committed.follow(upTo: debt)
        } else if let head = committed.beginCheckpoint() {
            // What fails now is said when somebody waits for it.
            Task { try? await journal.follow(upTo: head) }
        }
    }

    func read<Outcome: Sendable>(
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        do throws(StoreFailure) {
            return try await database.read { connection throws(StoreFailure) in
                try work(Ledger(connection))
            }
        } catch {
            throw .store(error)
        }
    }
}

extension Verifier {
    /// Runs what a machine may refuse.
    func onThisMachine<Result: ~Copyable>(
        _ body: () throws(CryptographyFailure) -> Result
    ) throws(Failure) -> Result {
        do throws(CryptographyFailure) {
            return try body()
        } catch {
            throw .machine(SystemFailure(error))
        }
    }

    func onThisMachine<Result: ~Copyable>(
        _ body: () throws(SystemFailure) -> Result
    ) throws(Failure) -> Result {
        do throws(SystemFailure) {
            return try body()
        } catch {
            throw .machine(error)
        }
    }

    /// What is pending was made lately, so it lies together in the tables, however many there are.
    func newTransactionID() throws(Failure) -> TransactionID {
        let name = try newOrderedName()
        return TransactionID(checked: TextEncoding.hexadecimal.encode(name.span))
    }

    /// The moment in 6 bytes and 10 that are random.
    func newOrderedName() throws(Failure) -> [UInt8] {
        let random = try onThisMachine { () throws(CryptographyFailure) in
            try randomBytes(count: 10)
        }
        let moment = withUnsafeBytes(of: clock.now.milliseconds.bigEndian) { Array($0.suffix(6)) }
        return moment + random
    }
}
