package import Cryptography
import FailureTranslation
package import Sealing
package import Storage
package import TransactionApproval

/// The use cases over accounts, devices, credentials and transactions.
///
/// Each one opens the secrets that it needs and runs its rule in one store transaction. The
/// verdict, counter, attempts, audit records and outbox are durable before the response.
package final class Verifier: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        case store(StoreFailure)
        case system(SystemFailure)
        /// A record cannot be opened: it was moved, or its key is missing.
        case sealedRecord(KeyEncryptionKeys.Failure)
        /// The policy breaks a rule; nothing was changed.
        case policy(EnterprisePolicy.Failure)
        /// The call needs a second person, who did not confirm it; nothing was changed.
        case confirmation(ConfirmationRefusal)
        /// The commit could not be written to the journal, so it must not be reported.
        case journal(JournalFailure)
    }

    let database: any Database
    package let keyRing: KeyRing
    let policies: PolicyCache
    /// For the key agreement in activations and rekeys.
    let agreementKey: P256.PrivateKey
    /// Devices may use it already; nil if no key change is planned.
    private let nextAgreementKey: P256.PrivateKey?
    /// Nil only for a store that makes no decisions, or that is temporary.
    let journal: Journal?
    private let committed: CommittedHead
    let clock: VerifierClock
    package let notifier: ChangeNotifier
    package let outages: OutageMonitor
    package let forgeries: ForgeryMonitor
    package let wrongCodes: WrongCodeMonitor
    let alarms: AlarmMonitor
    let memory: StoreMemory
    let proven: ProvenDecisions
    /// Nil for no limit.
    let pushRateLimit: PushRateLimit?
    /// Required in the transaction of the next change; nil if a change needs one person.
    let confirmation: Confirmation?

    package init(
        database: any Database,
        keys: KeyRing,
        agreementKey: P256.PrivateKey,
        nextAgreementKey: P256.PrivateKey? = nil,
        journal: Journal?,
        clock: VerifierClock,
        changesWithin interval: Duration = ChangeNotifier.defaultInterval,
        pushesPerMinute: Int? = nil
    ) {
        self.database = database
        keyRing = keys
        self.agreementKey = agreementKey
        self.nextAgreementKey = nextAgreementKey
        self.journal = journal
        self.clock = clock
        policies = PolicyCache()
        committed = CommittedHead()
        notifier = ChangeNotifier(of: database, interval: interval)
        outages = OutageMonitor()
        forgeries = ForgeryMonitor()
        wrongCodes = WrongCodeMonitor()
        alarms = AlarmMonitor()
        memory = StoreMemory()
        proven = ProvenDecisions()
        pushRateLimit = pushesPerMinute.map { PushRateLimit(perMinute: $0) }
        confirmation = nil
    }

    /// The same verifier, whose next change must meet `confirmation`.
    init(_ verifier: Verifier, requiring confirmation: Confirmation) {
        database = verifier.database
        keyRing = verifier.keyRing
        policies = verifier.policies
        agreementKey = verifier.agreementKey
        nextAgreementKey = verifier.nextAgreementKey
        journal = verifier.journal
        committed = verifier.committed
        clock = verifier.clock
        notifier = verifier.notifier
        outages = verifier.outages
        forgeries = verifier.forgeries
        wrongCodes = verifier.wrongCodes
        alarms = verifier.alarms
        memory = verifier.memory
        proven = verifier.proven
        pushRateLimit = verifier.pushRateLimit
        self.confirmation = confirmation
    }
}

extension Verifier.Failure {
    /// The failure of the machine, if this was the cause.
    package var systemFailure: SystemFailure? {
        switch self {
        case .system(let failure): failure
        case .store(let failure): failure.systemFailure
        case .journal(let failure): failure.systemFailure
        case .sealedRecord, .policy, .confirmation: nil
        }
    }
}

extension Verifier.Failure {
    /// A row under an unknown key is like any other value that does not open.
    fileprivate init(_ failure: StoreFailure) {
        self =
            if case .missingKey(let version) = failure.reason {
                .sealedRecord(.keyMissing(version: version))
            } else {
                .store(failure)
            }
    }
}

extension Verifier {
    package var now: Timestamp { clock.now }

    /// Writes one row, because a store that is full or a standby can be read but makes no
    /// decisions.
    ///
    /// Reads the state first: it does not open if this verifier lacks the newest key of the store.
    package func reachStore() async throws(Failure) {
        try await write { ledger throws(StoreFailure) in
            _ = try ledger.state()
            try ledger.writeWithoutChange()
        }
    }

    package var agreementPublicKey: P256.PublicKey { agreementKey.publicKey }

    /// Nil if no key change is planned.
    package var nextAgreementPublicKey: P256.PublicKey? { nextAgreementKey?.publicKey }

    /// The next agreement key, for the devices of this server; nil if no key change is planned.
    package func announcement(
        at server: ServerOrigin
    ) throws(CryptographyFailure) -> AgreementKeyAnnouncement? {
        guard let nextAgreementKey else { return nil }
        return try AgreementKeyAnnouncement(
            of: nextAgreementKey.publicKey,
            at: server,
            signedBy: agreementKey
        )
    }

    /// Nil for a key that this verifier never had, or no longer has.
    func agreementKey(named name: ServerKeyID) throws(Failure) -> P256.PrivateKey? {
        for key in [agreementKey, nextAgreementKey].compactMap({ $0 }) {
            let found = try translatingSystemFailure(
                ServerKeyID(of: key.publicKey),
                to: Failure.system
            )
            if found == name { return key }
        }
        return nil
    }

    /// Returns after the commit, and after the journal has the events that it must have.
    func write<Outcome: Sendable>(
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        try await commit { known throws(StoreFailure) in
            try await database.write { [self] connection throws(StoreFailure) in
                let ledger = Ledger(connection, keyRing, after: known, memory.view())
                return try confirmed(in: ledger) { () throws(StoreFailure) in try work(ledger) }
            }
        }
    }

    /// Loads, opens secrets without blocking other callers of the store, and writes.
    func write<Loaded, Opened: Sendable, Outcome: Sendable>(
        loading load: @escaping @Sendable (Ledger) throws(StoreFailure) -> Loaded,
        opening open:
            @escaping @Sendable (Loaded) throws(Failure) -> Preparation<Opened, Outcome>,
        _ work: @escaping @Sendable (Opened, Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        typealias CommittedResult = Committed<Result<Outcome, Failure>>
        typealias Step = Preparation<Prepared<Opened>, CommittedResult>
        return try await commit { known throws(StoreFailure) -> CommittedResult in
            let view = memory.view()
            return try await database.write {
                [self] connection throws(StoreFailure) -> Step in
                let ledger = Ledger(connection, keyRing, after: known, view)
                let loaded = try load(ledger)
                do throws(Failure) {
                    return switch try open(loaded) {
                    case .goOn(let opened):
                        .goOn(with: Prepared(opened: opened, rows: ledger.recorded.rows))
                    case .enough(let outcome): .enough(CommittedResult(outcome: .success(outcome)))
                    }
                } catch {
                    return .enough(CommittedResult(outcome: .failure(error)))
                }
            } _: { [self] prepared, connection throws(StoreFailure) -> CommittedResult in
                let ledger = Ledger(connection, keyRing, after: known, memory.view())
                ledger.recorded.authentic = prepared.rows
                return try confirmed(in: ledger) { () throws(StoreFailure) in
                    try work(prepared.opened, ledger)
                }
            }
        }
    }

    /// Runs `work`, unless its confirmation is rejected: then nothing was written.
    private func confirmed<Outcome: Sendable>(
        in ledger: Ledger,
        _ work: () throws(StoreFailure) -> Outcome
    ) throws(StoreFailure) -> Committed<Result<Outcome, Failure>> {
        if let refusal = try ledger.confirm(confirmation, clock).refusal {
            return Committed(outcome: .failure(.confirmation(refusal)))
        }
        return Committed(.success(try work()), in: ledger)
    }

    /// The opened secrets, and the rows that were read for them.
    private struct Prepared<Opened: Sendable>: Sendable {
        let opened: Opened
        let rows: RecordedRows
    }

    /// The outcome of a store transaction, its audit events, and the rows that it saw.
    private struct Committed<Outcome: Sendable>: Sendable {
        let outcome: Outcome
        var events = CommittedEvents()
        var rows: SeenRows = []

        init(outcome: Outcome) {
            self.outcome = outcome
        }

        init(_ outcome: Outcome, in ledger: Ledger) {
            ledger.recorded.assertTraced()
            self.outcome = outcome
            events = ledger.recorded.events
            rows = ledger.recorded.newRows
        }
    }

    private func commit<Outcome: Sendable>(
        _ write: (AuditHead) async throws(StoreFailure) -> Committed<Result<Outcome, Failure>>
    ) async throws(Failure) -> Outcome {
        do throws(Failure) {
            let outcome = try await commitWithJournal(write).get()
            outages.noteSuccess()
            return outcome
        } catch {
            note(error)
            throw error
        }
    }

    private func note(_ failure: Failure) {
        outages.note(failure)
        if case .store(let failure) = failure { forgeries.note(failure) }
    }

    /// Derives the key of new tags, so that no transaction waits for it.
    private func prepareRowKey() async throws(Failure) {
        guard let names = try await storeNames() else { return }
        _ = try translatingSystemFailure(
            keyRing.rowKey(version: keyRing.keys.newestVersion, of: names.bytes),
            to: Failure.system
        )
    }

    /// Nil for a store that is empty, or whose rows have no tags yet.
    ///
    /// Other ids than the first authentic ones are those of another store, or of a restore.
    private func storeNames() async throws(Failure) -> StoreNames? {
        if let names = memory.storeNames { return names }
        let names = try await translatingAsync(
            await database.readLedger(keyRing) { ledger throws(StoreFailure) in
                try ledger.authenticNames()
            },
            to: { (failure: StoreFailure) in Failure(failure) }
        )
        if let names { memory.remember(names) }
        return names
    }

    private func commitWithJournal<Outcome: Sendable>(
        _ write: (AuditHead) async throws(StoreFailure) -> Committed<Outcome>
    ) async throws(Failure) -> Outcome {
        let made: Committed<Outcome>
        try await prepareRowKey()
        do throws(StoreFailure) {
            made = try await write(try committed.known())
            committed.commit(made.events)
            memory.remember(made.rows)
        } catch {
            if error == .rolledBack { committed.stop() }
            if error == .uncertain { committed.doubt() }
            // The sealed value is lost; the next one uses the new key.
            if case .outdatedKey = error.reason { keyRing.readChangedFile() }
            throw Failure(error)
        }
        try await settle()
        if made.events.checkpoint != nil { notifier.committed(made.events.kinds) }
        return made.outcome
    }

    /// Waits until the journal has every event that it must have, and the last committed head.
    ///
    /// This includes events of other calls: a verdict that is repeated after a journal failure was
    /// not reported before.
    private func settle() async throws(Failure) {
        guard let journal else { return }
        if committed.endDoubt() {
            do throws(Failure) {
                try await checkpoint()
            } catch {
                committed.doubt()
                throw error
            }
        }
        if let checkpoint = committed.unkept {
            try await translatingAsync(await journal.keep(checkpoint), to: Failure.journal)
            committed.keep(checkpoint)
        }
        if let debt = committed.debt {
            try await translatingAsync(await journal.follow(upTo: debt), to: Failure.journal)
            committed.follow(upTo: debt)
        } else if let head = committed.beginCheckpoint() {
            // A failure here is reported to the next caller that waits.
            Task { try? await journal.follow(upTo: head) }
        }
    }

    /// Reads outcomes of earlier calls, which this process may not have returned yet.
    ///
    /// A copy of the store must not lack a reported outcome. The head is from the read itself: a
    /// call can have committed that is not resumed yet, or another node. A result that shows no
    /// outcome need not wait.
    func readOutcomes<Outcome: Sendable>(
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome,
        isOutcome: (Outcome) -> Bool = { _ in true }
    ) async throws(Failure) -> Outcome {
        let (outcome, seen) = try await read { ledger throws(StoreFailure) in
            (try work(ledger), try ledger.state().checkpoint)
        }
        guard isOutcome(outcome) else { return outcome }
        committed.commit(CommittedEvents(checkpoint: seen))
        do throws(Failure) {
            try await settle()
        } catch {
            note(error)
            throw error
        }
        return outcome
    }

    func read<Outcome: Sendable>(
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        do throws(Failure) {
            try await prepareRowKey()
        } catch {
            note(error)
            throw error
        }
        do throws(StoreFailure) {
            let (outcome, rows) = try await database.readLedger(keyRing, remembering: memory.view())
            {
                ledger throws(StoreFailure) in (try work(ledger), ledger.recorded.newRows)
            }
            memory.remember(rows)
            return outcome
        } catch {
            let failure = Failure(error)
            note(failure)
            throw failure
        }
    }
}

extension Verifier {
    /// Starts with the time, so that pending transactions are neighbours in the table.
    func newTransactionID() throws(Failure) -> TransactionID {
        let name = try newOrderedName()
        return TransactionID(checked: TextEncoding.hexadecimal.encode(name.span))
    }

    /// The time in 6 bytes and 10 random bytes.
    func newOrderedName() throws(Failure) -> [UInt8] {
        let random = try translatingSystemFailure(randomBytes(count: 10), to: Failure.system)
        let moment = withUnsafeBytes(of: clock.now.milliseconds.bigEndian) { Array($0.suffix(6)) }
        return moment + random
    }
}
