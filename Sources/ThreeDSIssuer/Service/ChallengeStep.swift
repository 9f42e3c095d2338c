import Storage
import ThreeDSProtocol
import Transactions

/// One event at a challenge, in one transaction of the store.
struct ChallengeStep {
    var authentication: Authentication
    var challenge: StoredChallenge
    let now: Timestamp
    private let table: AuthenticationTable
    private var records: [IssuerRecord] = []
    private var erasesKey = false
    private var isChanged = false
    /// As the row states them.
    private let wakes: StoredChallenge.Wakes
    /// The result that this step decides.
    private var decision: ResultReport?

    /// Finds the row of a challenge.
    enum Place: Sendable {
        case id(String)
        case page(PageHandle)
    }

    /// Nil if there is no such challenge.
    fileprivate init?(
        at place: Place,
        in table: AuthenticationTable,
        _ now: Timestamp
    ) throws(StoreFailure) {
        let found =
            switch place {
            case .id(let id): try table.authentication(id)
            case .page(let handle): try table.authentication(ofPage: handle)
            }
        guard let found, let challenge = found.challenge else { return nil }
        (authentication, self.challenge) = (found, challenge)
        (self.table, self.now) = (table, now)
        wakes = challenge.wakes
    }

    /// Nil if it was erased, or if the challenge is one of a browser.
    func channelKey() throws(StoreFailure) -> ChannelKey? {
        try table.channelKey(of: authentication.id)
    }

    /// Marks a change of the row that no event makes.
    mutating func change(_ body: (inout StoredChallenge) -> Void) {
        body(&challenge)
        isChanged = true
    }

    /// Applies an event, with all of its effects on the row.
    mutating func apply(_ event: Challenge.Event) -> [Challenge.Action] {
        let before = challenge.progress
        let actions = challenge.progress.apply(event, at: now.sinceStart)
        isChanged = isChanged || before.encoded != challenge.progress.encoded
        if before.state == .promised, challenge.progress.state == .asked { add(.asked, []) }
        // Without a response of the verifier, the withdrawal goes on after the result.
        if case .withdrawing = before.state, event == .clock, challenge.progress.isDecided {
            challenge.isLeftToWithdraw = true
        }
        for action in actions {
            switch action {
            case .sendResult(let report):
                challenge.result = DecidedResult(
                    report,
                    in: authentication.facts.version,
                    at: now
                )
                challenge.resultDue = now
                decision = report
                add(.decided, details(of: report))
            case .eraseKeys:
                erasesKey = true
                add(.ended, [])
            case .createTransaction, .withdrawTransaction, .notifyAgain, .showPage, .wait, .finish,
                .sendError:
                break
            }
        }
        return actions
    }

    mutating func add(_ step: IssuerRecord.Step, _ details: [String]) {
        records.append(
            IssuerRecord(
                time: now,
                authentication: authentication.id,
                step: step,
                details: details
            )
        )
    }

    private func details(of report: ResultReport) -> [String] {
        let reason = report.reason(in: authentication.facts.version)?.rawValue
        return [report.status.rawValue, reason, challenge.transaction?.id.text].compactMap { $0 }
    }

    /// Returns the background work that the change concerns; nil if nothing was written.
    fileprivate func save(
        in store: IssuerStore,
        _ connection: any SQLConnection,
        notifies: Bool
    ) throws(StoreFailure) -> Set<BackgroundWork>? {
        guard isChanged else { return nil }
        var authentication = authentication
        authentication.challenge = challenge
        try table.replace(authentication)
        if erasesKey { try table.eraseChannelKey(of: authentication.id) }
        let trail = store.records(connection)
        for record in records { try trail.add(record) }
        var works = challenge.wakes.works(after: wakes)
        if notifies, let decision, let result = challenge.result {
            let event = AuthenticatedCard(
                authentication,
                result,
                isNotMe: decision == .suspected,
                of: try card(in: store, connection)
            )
            try store.notifications(connection).add(StoredNotification(event, at: now))
            works.insert(.notifying)
        }
        return works
    }

    /// Nil for a card that was removed, and for one that another program changed: the challenge
    /// has its result nevertheless.
    private func card(
        in store: IssuerStore,
        _ connection: any SQLConnection
    ) throws(StoreFailure) -> Card? {
        guard let reference = authentication.card else { return nil }
        do throws(StoreFailure) {
            return try store.cards(connection).card(reference)?.card
        } catch {
            guard error.isOfOneRow else { throw error }
            return nil
        }
    }
}

extension IssuerService {
    /// Runs a step and saves its changes; nil if there is no such challenge.
    func step<Outcome: Sendable>(
        at place: ChallengeStep.Place,
        _ body: @escaping @Sendable (inout ChallengeStep) throws(StoreFailure) -> Outcome
    ) async throws(StoreFailure) -> Outcome? {
        let now = clock()
        typealias Change = (id: String, works: Set<BackgroundWork>)
        let result: (outcome: Outcome, change: Change?)? = try await store.database.write {
            [store, webhook] connection throws(StoreFailure) in
            let table = store.authentications(connection)
            guard var step = try ChallengeStep(at: place, in: table, now) else { return nil }
            let outcome = try body(&step)
            let works = try step.save(in: store, connection, notifies: webhook != nil)
            return (outcome, works.map { (step.authentication.id, $0) })
        }
        if let change = result?.change { changes.changed(change.id, concerning: change.works) }
        return result?.outcome
    }
}

extension StoredChallenge {
    /// The members for which background work looks.
    struct Wakes {
        fileprivate var awaited: TransactionID?
        fileprivate var callDue: Timestamp?
        fileprivate var resultDue: Timestamp?
    }

    var wakes: Wakes { Wakes(awaited: awaited, callDue: callDue, resultDue: resultDue) }
}

extension StoredChallenge.Wakes {
    /// The work that a change begins.
    ///
    /// A member that stays as it was begins none: the work itself changes rows without an effect on
    /// it, for example if a call fails.
    func works(after old: Self?) -> Set<BackgroundWork> {
        var works: Set<BackgroundWork> = []
        if awaited != nil, awaited != old?.awaited { works.insert(.following) }
        if callDue != nil, callDue != old?.callDue { works.insert(.calling) }
        if resultDue != nil, resultDue != old?.resultDue { works.insert(.delivering) }
        return works
    }
}

extension Challenge {
    fileprivate var isDecided: Bool {
        if case .decided = state { true } else { false }
    }
}
