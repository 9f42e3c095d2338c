/// Compares a code with the codes of the counters from `first` on.
///
/// It always computes every candidate, so its time does not reveal the client's counter.
struct CodeSearch {
    let first: Counter
    /// The count of counters after `first`.
    let reach: Int

    /// A match below `minimum` was used before and does not count.
    func verdict(
        on code: OneTimeCode,
        notBefore minimum: Counter? = nil,
        _ expected: (Counter) -> OneTimeCode
    ) -> CodeVerdict {
        guard first.next != nil else { return .counterExhausted }
        var verdict = CodeVerdict.rejected
        for offset in 0...reach {
            guard let candidate = first.advanced(by: offset), let next = candidate.next else {
                break
            }
            let matches = expected(candidate) == code
            if matches, candidate >= minimum ?? first, verdict == .rejected {
                verdict = .accepted(next: next)
            }
        }
        return verdict
    }

    /// Accepts the codes of two consecutive counters (RFC 4226, section 7.4) and uses up both.
    func verdict(
        on code: OneTimeCode,
        then following: OneTimeCode,
        _ expected: (Counter) -> OneTimeCode
    ) -> CodeVerdict {
        guard first.next?.next != nil else { return .counterExhausted }
        var verdict = CodeVerdict.rejected
        var codeMatchedBefore = false
        for offset in 0...reach + 1 {
            guard let candidate = first.advanced(by: offset), let next = candidate.next else {
                break
            }
            let candidateCode = expected(candidate)
            let followingMatches = candidateCode == following
            if codeMatchedBefore, followingMatches, verdict == .rejected {
                verdict = .accepted(next: next)
            }
            codeMatchedBefore = candidateCode == code
        }
        return verdict
    }
}
