package import Cryptography
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
    let committed: CommittedHead
    let clock: VerifierClock
    package let notifier: ChangeNotifier
    package let outages: OutageMonitor
    package let forgeries: ForgeryMonitor
    package let wrongCodes: WrongCodeMonitor
    let uncommitted: UncommittedFailures
    let alarms: AlarmMonitor
    let memory: StoreMemory
    let proven: ProvenDecisions
    /// Empty for no limit.
    let pushRateLimits: [RequestSource: PushRateLimit]

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
        committed = CommittedHead(after: journal?.known ?? .empty)
        notifier = ChangeNotifier(of: KeyedStore(database, keys), interval: interval)
        outages = OutageMonitor()
        forgeries = ForgeryMonitor()
        wrongCodes = WrongCodeMonitor()
        uncommitted = UncommittedFailures()
        alarms = AlarmMonitor()
        memory = StoreMemory()
        proven = ProvenDecisions()
        pushRateLimits =
            pushesPerMinute.map { count in
                let limits = RequestSource.allCases.map { ($0, PushRateLimit(perMinute: count)) }
                return Dictionary(uniqueKeysWithValues: limits)
            } ?? [:]
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

extension Verifier {
    package var now: Timestamp { clock.now }

    /// Reads the state, and writes one row.
    ///
    /// PostgreSQL has other connections for reading, so each can fail alone. A store that is full or
    /// a standby can be read but makes no decisions. The state does not open if this verifier lacks
    /// the newest key of the store.
    package func reachStore() async throws(Failure) {
        _ = try await read { ledger throws(StoreFailure) in try ledger.state() }
        try await write { ledger throws(StoreFailure) in
            _ = try ledger.state()
            try ledger.writeWithoutChange()
        }
    }

    package var agreementPublicKey: P256.PublicKey { agreementKey.publicKey }

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
