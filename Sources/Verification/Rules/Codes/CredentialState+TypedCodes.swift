package import OneTimePassword
import TransactionApproval

/// What a person read off the device and typed elsewhere, as the bank hands it in.
///
/// The bank asks only after a first factor of its own: a stranger never gets this far.
package struct TypedCode: Sendable {
    /// Nil where it was no code at all, which is charged like a wrong one (SEC-15).
    let code: OneTimeCode?
    /// What the code is over, if over anything but the counter.
    let data: [UInt8]?

    package init(submitted text: String, over data: [UInt8]? = nil) {
        let isCode = HOTP.Digits(rawValue: text.utf8.count) != nil
        // Why it is none does not matter: it is a wrong code, as one of another length is.
        code = isCode ? try? OneTimeCode(text) : nil
        self.data = data
    }
}

extension CredentialState {
    /// ReferenceCheckers a code that does not name its counter; nil is a yes.
    package mutating func judge(
        _ typed: TypedCode,
        lookAhead: LookAhead,
        with codes: borrowing TypedCodeCheck,
        in circumstances: Circumstances,
        events: inout [Event]
    ) throws(SystemFailure) -> Refusal? {
        guard typed.data == nil || codes.takesData else { return .typeNotAllowed }
        if let refusal = refusalBeforeTyping(codes.credential, in: circumstances) { return refusal }
        guard let code = typed.code else {
            return .wrongCode(charge(in: circumstances, events: &events))
        }
        let search = CodeSearchBothWays(code: code, data: typed.data, epoch: circumstances.epoch)
        // Both are searched whatever the first finds: time must not tell a used code from a wrong one.
        let ahead = try search.verdict(codes, from: credential.counter, lookAhead: lookAhead)
        let wasUsed = try search.wasUsed(codes, before: credential.counter, reach: lookAhead)
        guard case .accepted(let next) = ahead else {
            if wasUsed { events.append(event(.codeReused)) }
            return .wrongCode(charge(in: circumstances, events: &events))
        }
        accept(upTo: next, events: &events)
        return nil
    }

    /// Finds a device that ran ahead by two codes in a row, and uses up both (SEC-07).
    ///
    /// After a restore an installation says in band where it is, bound to the new epoch. A token
    /// cannot: it shows what it would have shown in any epoch, so two codes that were used since the
    /// backup look as good as two new ones. That they are new only somebody knows who saw the token
    /// make them. Such a witnessed pair takes the token up again, and ends every code before it.
    package mutating func resynchronise(
        _ first: TypedCode,
        then second: TypedCode,
        within reach: ResynchronisationReach,
        isWitnessed: Bool = false,
        with codes: borrowing TypedCodeCheck,
        in circumstances: Circumstances,
        events: inout [Event]
    ) throws(SystemFailure) -> Refusal? {
        if let refusal = refusalBeforeTyping(
            codes.credential,
            takesUp: isWitnessed && !codes.takesData,
            in: circumstances
        ) {
            return refusal
        }
        guard
            let first = first.code, let second = second.code,
            case .accepted(let next) = codes.resynchronise(
                first,
                then: second,
                from: credential.counter,
                within: reach
            )
        else { return .wrongCode(charge(in: circumstances, events: &events)) }
        accept(upTo: next, events: &events)
        credential.confirm(in: circumstances.epoch)
        events.append(event(.credentialResynchronised, detail: isWitnessed ? "witnessed" : ""))
        return nil
    }

    private func refusalBeforeTyping(
        _ opened: CredentialContext,
        takesUp: Bool = false,
        in circumstances: Circumstances
    ) -> Refusal? {
        if let refusal = refusalByStanding(in: circumstances) { return refusal }
        guard takesUp || credential.confirmedIn == circumstances.epoch else {
            return .counterUnconfirmed
        }
        guard opened == context else { return .generationMismatch }
        return nil
    }

    private mutating func accept(upTo next: Counter, events: inout [Event]) {
        credential.advance(to: next)
        failures.succeed()
        events.append(event(.codeAccepted))
    }
}

/// Looks for a typed code among the counters ahead, and for an alarm among those just used.
private struct CodeSearchBothWays {
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

    /// Whether it is one of the codes before `counter`, as far back as `reach` goes ahead.
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
