import Cryptography
import OneTimePassword
import Sealing
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// The devices' messages with a code.
extension History {
    mutating func decide() async throws -> Bool {
        // Mostly the latest transaction, and a device that can decide it.
        let isLast = Int.random(in: 0..<3, using: &random) > 0
        guard let transaction = isLast ? transactions.last : pick(transactions.suffix(6)) else {
            return true
        }
        let index = isLast ? model.payments[transaction.id]?.account : nil
        let reason = pick(RejectionReason.allCases) ?? .notMe
        let isApproval = Bool.random(using: &random)
        let decision: Decision = isApproval ? .approve : .reject(reason)
        let type: AuthenticationType =
            isApproval && Int.random(in: 0..<3, using: &random) == 0 ? .consent : .userPIN
        let kind = isApproval ? type.credentialKind : .device
        return try await send(.decision(transaction, decision, by: type), kind, on: index)
    }

    mutating func rekey() async throws -> Bool {
        let index = device()
        return try await send(.rekey(try await phones[index].rekey(in: bank)), .user, on: index)
    }

    /// Guesses a PIN through all temporary locks, the first ended by the bank, until the permanent
    /// one.
    mutating func guessUntilBlocked() async throws -> Bool {
        let index = device()
        for round in 1...4 {
            for _ in 1...5 {
                guard try await send(.pinCheck, .user, on: index, isGuess: true) else {
                    return false
                }
            }
            if round == 1, try await !unlock(on: index) { return false }
            advance(by: .seconds(3600))
        }
        return true
    }

    /// Sends a right or a wrong code, at a counter that is near, far or used.
    mutating func send(
        _ target: Target,
        _ kind: CredentialKind,
        on chosen: Int? = nil,
        isGuess: Bool = false
    ) async throws -> Bool {
        let index = chosen ?? device()
        let isRight = !isGuess && Int.random(in: 0..<10, using: &random) < 6
        let pin: Phone.PIN = isRight ? .right : .wrong
        let nextCounter = model.devices[index].counters[kind] ?? 0
        let distances: [Int64] = [0, 0, 0, 0, 1, 7, 1 << 20, (1 << 20) + 1, -1]
        let distance = isGuess ? 0 : pick(distances) ?? 0
        let counter = UInt64(max(0, Int64(nextCounter) + distance))
        let attempt = try await phones[index].attempt(
            kind,
            over: try question(target),
            with: pin,
            at: Counter(counter),
            in: bank
        )
        let trial = ReferenceModel.Trial(
            attempt: attempt.code.attempt,
            device: index,
            kind: kind,
            counter: counter,
            generation: attempt.code.generation.value,
            isRight: isRight,
            purpose: try purpose(target)
        )
        let step = Step(trial: trial, attempt: attempt, target: target)
        tried.append(step)
        return try await run(step)
    }

    /// Repeats an earlier attempt: unchanged, with another id, or for another purpose.
    mutating func repeatEarlier() async throws -> Bool {
        guard let earlier = pick(tried.suffix(20)) else { return true }
        let (trial, attempt) = (earlier.trial, earlier.attempt)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return try await run(earlier)
        case 1:
            let renamed = try attempt.withNewID()
            let trial = trial.with(id: renamed.code.attempt)
            return try await run(Step(trial: trial, attempt: renamed, target: earlier.target))
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
        let label =
            "\(step.trial.purpose) on \(index) at \(step.trial.counter), "
            + "\(step.trial.isRight ? "right" : "wrong"), \(step.trial.attempt)"
        switch step.target {
        case .pinCheck:
            return agree(
                label,
                try await verifier.checkPIN(attempt),
                model.process(step.trial, accept: { $0.note(.codeAccepted) })
            )
        case .decision(let transaction, let decision, let type):
            let found = try await phones[index].send(
                decision,
                on: transaction,
                by: type,
                attempt,
                to: verifier
            )
            let end = decision.outcome(by: type, phones[index].id)
            return agree(label, found, model.decide(step.trial, transaction.id, end))
        case .login:
            let found = try await verifier.logIn(over: Phone.challenge, by: .userPIN, attempt)
            let expected = model.process(step.trial, accept: { $0.note(.codeAccepted) })
            guard case .accepted(let id?) = found, expected == .accepted(nil) else {
                return agree(label, found, expected) && expected != .accepted(nil)
            }
            if !grants.contains(id) { grants.append(id) }
            return agree(label, id, model.grant(id, by: step.trial))
        case .rekey(let rekey):
            let before = model.devices[index].generations[.user] ?? 0
            let next = rekey.request.proposal.credential.generation.value
            let found = try await verifier.rekey(rekey.request, attempt)
            let expected = model.process(step.trial) { _ in
                next == before + 1 ? nil : .generationMismatch
            } accept: {
                $0.devices[index].generations[.user] = next
                $0.note(.credentialRekeyed)
            }
            if expected == .accepted(nil), next == before + 1 {
                phones[index].keep(rekey.seed, for: .user)
            }
            return agree(label, found, expected)
        }
    }

    mutating func type() async throws -> Bool {
        let index = device()
        let nextCounter = Int(model.devices[index].counters[.user] ?? 0)
        let ahead = pick([nil, 0, 0, 1, 10, 11, 300, -1]).flatMap { $0 }
        let place = ahead.map { max($0, -nextCounter) }
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

    /// Two codes that may be consecutive or not, near or far.
    mutating func resynchronise() async throws -> Bool {
        let index = device()
        let nextCounter = Int64(model.devices[index].counters[.user] ?? 0)
        let ahead = max(pick([0, 20, 100, 101, -1]) ?? 0, -nextCounter)
        let isInARow = Int.random(in: 0..<4, using: &random) > 0
        let (phone, account) = (phones[index], Self.accounts[index])
        let found = try await phone.resynchronise(
            try await phone.typedCode(ahead: ahead, in: bank),
            then: try await phone.typedCode(ahead: ahead + (isInARow ? 1 : 2), in: bank),
            from: account,
            in: bank
        )
        return agree(
            "resynchronised \(index) \(ahead) ahead, \(isInARow ? "" : "not ")in a row",
            found,
            model.resynchronise(ahead: ahead, isInARow, on: index)
        )
    }

    private func question(_ target: Target) throws -> InBandQuestion {
        switch target {
        case .pinCheck: .pinCheck
        case .login: .login(try #require(Digest(sha256: Phone.challenge)))
        case .decision(let transaction, let decision, _):
            .decision(try TransactionHash(of: transaction), decision, nil)
        case .rekey(let rekey): try rekey.request.question()
        }
    }

    private func purpose(_ target: Target) throws -> String {
        switch target {
        case .pinCheck: "check"
        case .login: "login"
        case .decision(let transaction, let decision, let type):
            "\(decision) by \(type) \(transaction.id)"
        case .rekey(let rekey):
            "rekey \(rekey.request.proposal.ephemeralKey.uncompressedPoint.prefix(5))"
        }
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
            // A code for one purpose is wrong for another.
            isRight: purpose == nil && isRight,
            purpose: purpose ?? self.purpose
        )
    }
}

extension Decision {
    fileprivate func outcome(
        by type: AuthenticationType,
        _ device: DeviceID
    ) -> TransactionRecord.Outcome {
        switch self {
        case .approve: .approved(with: type, by: device)
        case .reject(let reason): .rejected(reason, by: device)
        }
    }
}
