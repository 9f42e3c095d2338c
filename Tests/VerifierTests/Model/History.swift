import Cryptography
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import Verifier

/// A random history that verifier and model go through side by side.
struct History {
    private var bank: Bank
    private var model: ReferenceModel
    private let phones: [Phone]
    private var random: SeededGenerator
    private var transactions: [Transaction] = []
    /// What was tried, to be tried again.
    private var tried: [Step] = []
    /// What happened, for whoever must understand a difference.
    private(set) var lines: [String] = []

    private struct Step {
        let trial: ReferenceModel.Trial
        let attempt: Attempt
        let target: Target
    }

    /// What a code of the device API is for.
    private enum Target {
        case decision(Transaction, Decision)
        case pinCheck
        case rekey(Phone.Rekey)
    }

    private static let accounts = [Bank.account, Bank.account("4712")]

    init(seed: Int) async throws {
        bank = try await Bank(
            policy: #"{"pendingTransactions": 3, "transactionSeconds": 600}"#
        )
        _ = try await bank.addLinkedAccount("4712")
        phones = try await bank.activateAll(Bank.account, 2)
        model = ReferenceModel(now: bank.clock.now)
        random = SeededGenerator(seed: seed)
    }

    /// Does one more thing at random; false where verifier and model differ.
    mutating func goOn() async throws -> Bool {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: return try await decide()
        case 25..<40: return try await send(.pinCheck, .user)
        case 40..<48: return try await type()
        case 48..<58: return try await repeatEarlier()
        case 58..<63: return try await rekey()
        case 63..<75: return try await ask()
        case 75..<79: return try await unlock()
        case 79..<83: return try await setEnabled()
        case 83..<84: return try await revoke()
        case 84..<88: return try await expire()
        case 88..<90:
            lines.append("restart")
            try await bank.restart()
            return true
        default:
            advance()
            return true
        }
    }

    /// SEC-50: whether the audit trail is whole, with each decision, refusal and end on it once.
    func isOnTrail() async throws -> Bool {
        let records = try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: 0, limit: .max)
        }
        var head = AuditHead.empty
        for record in records {
            guard try head.precedes(record) else { return false }
            head = AuditHead(record)
        }
        let kinds = records.map(\.event.kind)
        let ends = model.payments.values.compactMap(\.end)
        return kinds.count { $0 == .transactionApproved } == ends.count { $0.isApproval }
            && kinds.count { $0 == .transactionExpired } == ends.count { $0 == .expired }
            && kinds.count { $0 == .codeRefused } == model.refusals
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.randomElement(using: &random)
    }

    private mutating func device() -> Int { Int.random(in: 0...1, using: &random) }

    private mutating func agree<Value: Equatable>(
        _ what: String,
        _ found: Value,
        _ expected: Value
    ) -> Bool {
        lines.append("\(what): \(found)" + (found == expected ? "" : ", expected \(expected)"))
        return found == expected
    }

    private mutating func advance() {
        let spans = [1, 60, 599, 600, 1800, 3600, 24 * 3600, 9 * 24 * 3600]
        let distance = Duration.seconds(pick(spans) ?? 1)
        lines.append("after \(distance)")
        bank.clock.advance(by: distance)
        model.now = bank.clock.now
    }
}

// MARK: Codes

extension History {
    private mutating func decide() async throws -> Bool {
        guard let transaction = pick(transactions.suffix(6)) else { return true }
        let reason = pick(RejectionReason.allCases) ?? .notMe
        let isYes = Bool.random(using: &random)
        let decision: Decision = isYes ? .approve : .reject(reason)
        return try await send(.decision(transaction, decision), isYes ? .user : .device)
    }

    private mutating func rekey() async throws -> Bool {
        let index = device()
        return try await send(.rekey(try await phones[index].rekey(in: bank)), .user, on: index)
    }

    /// Sends a code that may be right or wrong, at a counter that may be near, far or used.
    private mutating func send(
        _ target: Target,
        _ kind: CredentialKind,
        on chosen: Int? = nil
    ) async throws -> Bool {
        let index = chosen ?? device()
        let pin: Phone.PIN = Int.random(in: 0..<10, using: &random) < 6 ? .right : .wrong
        let least = model.devices[index].counters[kind] ?? 0
        let distances: [Int64] = [0, 0, 0, 0, 1, 7, 1 << 20, (1 << 20) + 1, -1]
        let counter = UInt64(max(0, Int64(least) + (pick(distances) ?? 0)))
        let attempt = try await phones[index].attempt(
            kind,
            over: try question(target),
            with: pin,
            at: Counter(counter),
            in: bank
        )
        let trial = ReferenceModel.Trial(
            attempt: attempt.id,
            device: index,
            kind: kind,
            counter: counter,
            generation: attempt.code.generation.value,
            isRight: pin == .right,
            purpose: try purpose(target)
        )
        let step = Step(trial: trial, attempt: attempt, target: target)
        tried.append(step)
        return try await run(step)
    }

    /// Sends what was sent before: as it was, under another id, or for another thing.
    private mutating func repeatEarlier() async throws -> Bool {
        guard let earlier = pick(tried.suffix(20)) else { return true }
        let (trial, attempt) = (earlier.trial, earlier.attempt)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return try await run(earlier)
        case 1:
            let anew = Attempt(
                id: try .random(),
                device: attempt.device,
                kind: attempt.kind,
                code: attempt.code
            )
            return try await run(
                Step(trial: trial.with(id: anew.id), attempt: anew, target: earlier.target)
            )
        default:
            guard case .decision = earlier.target, trial.kind == .user else { return true }
            return try await run(
                Step(trial: trial.with(purpose: "check"), attempt: attempt, target: .pinCheck)
            )
        }
    }

    private mutating func run(_ step: Step) async throws -> Bool {
        let (verifier, attempt) = (bank.verifier, step.attempt)
        let index = step.trial.device
        let what =
            "\(step.trial.purpose) on \(index) at \(step.trial.counter), "
            + "\(step.trial.isRight ? "right" : "wrong"), \(step.trial.attempt)"
        switch step.target {
        case .pinCheck:
            return agree(what, try await verifier.checkPIN(attempt), model.judge(step.trial))
        case .decision(let transaction, let decision):
            let found = try await verifier.decide(
                decision,
                on: transaction.id,
                by: .userPIN,
                attempt
            )
            let end = decision.outcome(by: phones[index].id)
            return agree(what, found, model.decide(step.trial, transaction.id, end))
        case .rekey(let rekey):
            let before = model.devices[index].generations[.user] ?? 0
            let next = rekey.request.proposal.credential.generation.value
            let found = try await verifier.rekey(rekey.request, attempt)
            let expected = model.judge(step.trial) { _ in
                next == before + 1 ? nil : .generationMismatch
            } accept: {
                $0.devices[index].generations[.user] = next
            }
            if expected == .accepted(nil), next == before + 1 {
                phones[index].keep(rekey.seed, for: .user)
            }
            return agree(what, found, expected)
        }
    }

    private mutating func type() async throws -> Bool {
        let index = device()
        let least = Int(model.devices[index].counters[.user] ?? 0)
        let ahead = pick([nil, 0, 0, 1, 10, 11, 300, -1]).flatMap { $0 }
        let place = ahead.map { max($0, -least) }
        let code = try await phones[index].typedCode(ahead: Int64(place ?? 0), in: bank)
        let text = place == nil ? "no code" : code
        let found = try await phones[index].type(text, from: Self.accounts[index], in: bank)
        let expected = model.type(ahead: place, on: index)
        return agree(
            "typed on \(index), \(place.map(String.init) ?? "none") ahead",
            found,
            expected
        )
    }

    private func question(_ target: Target) throws -> InBandQuestion {
        switch target {
        case .pinCheck: .pinCheck
        case .decision(let transaction, let decision):
            .decision(try TransactionHash(of: transaction), decision, nil)
        case .rekey(let rekey): try rekey.request.question()
        }
    }

    private func purpose(_ target: Target) throws -> String {
        switch target {
        case .pinCheck: "check"
        case .decision(let transaction, let decision): "\(decision) \(transaction.id)"
        case .rekey(let rekey):
            "rekey \(rekey.request.proposal.ephemeralKey.uncompressedPoint.prefix(5))"
        }
    }
}

// MARK: What the bank asks for

extension History {
    private mutating func ask() async throws -> Bool {
        let index = device()
        // Away from the caps of a span of time, which have tests of their own.
        bank.clock.advance(by: .seconds(3 * 3600))
        model.now = bank.clock.now
        let request = TransactionRequest(
            account: Self.accounts[index],
            content: try .payment(of: UInt64(lines.count + 1))
        )
        let answer = try await bank.verifier.request(request, by: Bank.core)
        guard case .created(let transaction, _) = answer else {
            return agree("refused to ask \(index)", false, model.mayAsk(index))
        }
        let mayAsk = model.mayAsk(index)
        transactions.append(transaction)
        model.payments[transaction.id] = ReferenceModel.Payment(
            account: index,
            deadline: transaction.deadline
        )
        return agree("asked \(index) for \(transaction.id)", true, mayAsk)
    }

    private mutating func unlock() async throws -> Bool {
        let index = device()
        let found = try await bank.verifier.unlock(
            .user,
            on: phones[index].id,
            of: Self.accounts[index],
            by: Bank.core
        )
        return agree("unlock \(index)", found, model.unlock(index))
    }

    private mutating func setEnabled() async throws -> Bool {
        // On more often than off, or little else would happen.
        let (index, isEnabled) = (device(), Int.random(in: 0..<4, using: &random) > 0)
        let found = try await bank.verifier.setEnabled(
            isEnabled,
            .user,
            on: phones[index].id,
            of: Self.accounts[index],
            by: Bank.core
        )
        return agree("enabled \(index) \(isEnabled)", found, model.setEnabled(isEnabled, index))
    }

    private mutating func revoke() async throws -> Bool {
        // Rarely: a history is over for a device that is revoked.
        guard Int.random(in: 0..<4, using: &random) == 0 else { return true }
        let index = device()
        let found = try await bank.verifier.revoke(
            phones[index].id,
            of: Self.accounts[index],
            by: Bank.core
        )
        return agree("revoke \(index)", found, model.revoke(index))
    }

    private mutating func expire() async throws -> Bool {
        agree("expired", try await bank.verifier.expire(atMost: 1000), model.expire())
    }
}

extension ReferenceModel.Trial {
    fileprivate func with(
        id: AttemptID? = nil,
        purpose: String? = nil
    ) -> ReferenceModel.Trial {
        ReferenceModel.Trial(
            attempt: id ?? attempt,
            device: device,
            kind: kind,
            counter: counter,
            generation: generation,
            // A code for one thing is wrong for another.
            isRight: purpose == nil && isRight,
            purpose: purpose ?? self.purpose
        )
    }
}

extension TransactionRecord.Outcome {
    fileprivate var isApproval: Bool { if case .approved = self { true } else { false } }
}

extension Decision {
    fileprivate func outcome(by device: DeviceID) -> TransactionRecord.Outcome {
        switch self {
        case .approve: .approved(with: .userPIN, by: device)
        case .reject(let reason): .rejected(reason, by: device)
        }
    }
}
