import Cryptography
package import OneTimePassword
import TransactionApproval

/// A code that a person read off the device and typed at the bank.
///
/// The bank checks its own first factor before, so a stranger cannot submit one.
package struct TypedCode: Sendable {
    /// Nil if the text is not a code, which is charged like a wrong code (SEC-15).
    let code: OneTimeCode?
    /// The data that the code is over, if any.
    let data: [UInt8]?

    package init(submitted text: String, over data: [UInt8]? = nil) {
        let isCode = HOTP.Digits(rawValue: text.utf8.count) != nil
        // The reason does not matter: it is a wrong code.
        code = isCode ? try? OneTimeCode(text) : nil
        self.data = data
    }
}

extension CredentialState {
    /// Checks a code that does not name its counter.
    package mutating func check(
        _ typed: TypedCode,
        lookAhead: LookAhead,
        with codes: borrowing TypedCodeCheck,
        in conditions: CheckConditions,
        events: inout [Event]
    ) throws(SystemFailure) -> RuleResult<Refusal> {
        guard typed.data == nil || codes.takesData else { return .refused(.typeNotAllowed) }
        let status = checkBeforeTypedCode(codes.credential, in: conditions)
        guard status.isAccepted else { return status }
        guard let code = typed.code else {
            return .refused(.wrongCode(charge(in: conditions, events: &events)))
        }
        let search = TwoWayCodeSearch(code: code, data: typed.data, epoch: conditions.epoch)
        // Both searches always run in full, so time does not show the position of the code.
        let ahead = try search.verdict(codes, from: credential.counter, lookAhead: lookAhead)
        let wasUsed = try search.wasUsed(codes, before: credential.counter, reach: lookAhead)
        guard case .accepted(let next) = ahead else {
            // It is not charged: a client that repeats a correct code must not lock the person out.
            if wasUsed {
                events.append(event(.codeReused))
                return .refused(.codeUsed)
            }
            return .refused(.wrongCode(charge(in: conditions, events: &events)))
        }
        accept(upTo: next, events: &events)
        return .accepted
    }

    /// Finds a device that ran ahead by two codes in a row, and uses up both (SEC-07).
    ///
    /// After a restore an installation proves its counter in band, bound to the new epoch. A
    /// token's codes are not bound to an epoch, so two used codes look like two new ones. So a
    /// restored token needs a witness: a bank employee who saw it make the pair.
    package mutating func resynchronise(
        _ first: TypedCode,
        then second: TypedCode,
        within reach: ResynchronisationReach,
        isWitnessed: Bool = false,
        with codes: borrowing TypedCodeCheck,
        in conditions: CheckConditions,
        events: inout [Event]
    ) throws(SystemFailure) -> RuleResult<Refusal> {
        let before = checkBeforeTypedCode(
            codes.credential,
            confirmsCounter: isWitnessed && !codes.takesData,
            in: conditions
        )
        guard before.isAccepted else { return before }
        guard
            let first = first.code, let second = second.code,
            case .accepted(let next) = codes.resynchronise(
                first,
                then: second,
                from: credential.counter,
                within: reach
            )
        else { return .refused(.wrongCode(charge(in: conditions, events: &events))) }
        accept(upTo: next, events: &events)
        credential.confirm(in: conditions.epoch)
        events.append(event(.credentialResynchronised, detail: isWitnessed ? "witnessed" : ""))
        return .accepted
    }

    private func checkBeforeTypedCode(
        _ opened: CredentialContext,
        confirmsCounter: Bool = false,
        in conditions: CheckConditions
    ) -> RuleResult<Refusal> {
        if let refusal = checkStatus(in: conditions).refusal { return .refused(refusal) }
        guard confirmsCounter || credential.confirmedEpoch == conditions.epoch else {
            return .refused(.counterUnconfirmed)
        }
        return opened == context ? .accepted : .refused(.generationMismatch)
    }

    private mutating func accept(upTo next: Counter, events: inout [Event]) {
        credential.advance(to: next)
        failures.succeed()
        events.append(event(.codeAccepted))
    }
}

/// Searches a typed code in the window ahead, and in the window of used counters.
private struct TwoWayCodeSearch {
    let code: OneTimeCode
    let data: [UInt8]?
    let epoch: Epoch

    func verdict(
        _ codes: borrowing TypedCodeCheck,
        from counter: Counter,
        lookAhead: LookAhead
    ) throws(SystemFailure) -> CodeVerdict {
        try codes.verify(code, over: data, in: epoch, from: counter, lookAhead: lookAhead)
    }

    /// Whether it is the code of a used counter, within the same distance as ahead.
    func wasUsed(
        _ codes: borrowing TypedCodeCheck,
        before counter: Counter,
        reach: LookAhead
    ) throws(SystemFailure) -> Bool {
        let distance = UInt64(reach.count + 1)
        let first = Counter(counter.value - min(distance, counter.value))
        guard
            case .accepted(let next) = try verdict(codes, from: first, lookAhead: reach)
        else { return false }
        return next <= counter
    }
}
