import Storage
import ThreeDSProtocol
import Transactions

/// One event at a challenge: it reads the row, and decides what to write.
struct ChallengeStep {
    var authentication: Authentication
    var challenge: StoredChallenge
    let now: Timestamp
    /// Whether the person approved with two factors, from which the low value rule counts again.
    var isStronglyAuthenticated = false
    private let row: ChallengeRow
    private let seal: RowSeal
    private let cards: CardTable
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

    /// Nil for an authentication without a challenge.
    fileprivate init?(_ row: ChallengeRow, _ cards: CardTable, _ now: Timestamp) {
        guard let challenge = row.authentication.challenge else { return nil }
        (authentication, self.challenge) = (row.authentication, challenge)
        (self.row, seal, self.cards, self.now) = (row, cards.seal, cards, now)
        wakes = challenge.wakes
    }

    /// Nil if it was erased, or if the challenge is one of a browser.
    func channelKey() throws(StoreFailure) -> ChannelKey? { try seal.channelKey(in: row) }

    /// Whether a purchase with the card may be approved now.
    func hasActiveCard() throws(StoreFailure) -> Bool {
        guard let reference = authentication.card else { return false }
        do throws(StoreFailure) {
            return try cards.card(reference).isActive
        } catch {
            let row = try seal.unreadable(reference.text, after: error, on: cards.connection)
            // With its key, it may be active: the approval is noted later.
            guard row.missingKey == nil else { throw error }
            return false
        }
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
        isChanged = isChanged || before != challenge.progress
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
                subject: .authentication(authentication.id),
                step: step,
                details: details
            )
        )
    }

    private func details(of report: ResultReport) -> [String] {
        let reason = report.reason(in: authentication.facts.version)?.rawValue
        return [report.status.rawValue, reason, challenge.latestTransaction?.text].compactMap { $0 }
    }

    /// Nil if the step changed nothing.
    fileprivate func effects(makesEvent: Bool) throws(StoreFailure) -> StepEffects? {
        guard isChanged else { return nil }
        var authentication = authentication
        authentication.challenge = challenge
        var works = challenge.wakes.works(after: wakes, at: now)
        var end: StepEffects.End?
        if makesEvent, let decision, let result = challenge.result {
            let isNotMe = decision == .suspected
            end = .init(authentication: authentication, result: result, isNotMe: isNotMe, now: now)
            works.insert(.sendingEvents)
        }
        return StepEffects(
            former: row,
            values: try seal.values(of: authentication),
            erasesKey: erasesKey,
            records: records,
            isApproval: decision == .approved,
            isStronglyAuthenticated: isStronglyAuthenticated,
            end: end,
            works: works
        )
    }
}

extension IssuerService {
    /// Runs a step and saves its changes; nil if there is no such challenge.
    ///
    /// The step runs before the transaction that writes, so that no other one waits for it. If
    /// another step was faster, it runs again, and its first outcome is forgotten. No message of it
    /// has left the process, so no nonce is used for two messages.
    func step<Outcome: Sendable>(
        at place: ChallengeStep.Place,
        _ body: @escaping @Sendable (inout ChallengeStep) throws(StoreFailure) -> Outcome
    ) async throws(StoreFailure) -> Outcome? {
        var unchanged = UnchangedRow()
        while true {
            switch try await attempt(at: place, body) {
            case .noChallenge: return nil
            case .done(let outcome, let effects):
                if let effects {
                    changes.changed(effects.former.authentication.id, concerning: effects.works)
                }
                return outcome
            case .overtaken(let row):
                try unchanged.note(row.content, of: .authentication(row.authentication.id))
            }
        }
    }

    private func attempt<Outcome: Sendable>(
        at place: ChallengeStep.Place,
        _ body: @escaping @Sendable (inout ChallengeStep) throws(StoreFailure) -> Outcome
    ) async throws(StoreFailure) -> SteppedChallenge<Outcome> {
        typealias Stepped = SteppedChallenge<Outcome>
        let now = clock()
        return try await store.database.write(
            reading: [try AuthenticationTable.query(of: place)],
            after: { [store, webhook] connection throws(StoreFailure) in
                let row = try store.authentications(connection).row(at: place)
                let cards = store.cards(connection)
                guard let row, var step = ChallengeStep(row, cards, now) else {
                    return Preparation<(Outcome, StepEffects), Stepped>.enough(.noChallenge)
                }
                let outcome = try body(&step)
                guard let effects = try step.effects(makesEvent: webhook != nil) else {
                    return .enough(.done(outcome, nil))
                }
                return .goOn(with: (outcome, effects), reading: [])
            },
            { [store] prepared, connection throws(StoreFailure) in
                let (outcome, effects) = prepared
                let isWritten = try effects.write(in: store, connection)
                return isWritten ? .done(outcome, effects) : .overtaken(effects.former)
            }
        )
    }
}

/// How an attempt to run a step ended.
private enum SteppedChallenge<Outcome: Sendable>: Sendable {
    case noChallenge
    /// Without effects if it changed nothing.
    case done(Outcome, StepEffects?)
    /// The row as it was read: another step has changed it meanwhile.
    case overtaken(ChallengeRow)
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
    func works(after old: Self?, at now: Timestamp) -> Set<BackgroundWork> {
        var works: Set<BackgroundWork> = []
        if awaited != nil, awaited != old?.awaited { works.insert(.following) }
        if callDue != nil, callDue != old?.callDue { works.insert(.calling) }
        if let resultDue, resultDue <= now, resultDue != old?.resultDue {
            works.insert(.delivering)
        }
        return works
    }
}

extension Challenge {
    fileprivate var isDecided: Bool {
        if case .decided = state { true } else { false }
    }
}
