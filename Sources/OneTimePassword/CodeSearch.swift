/// Tries a code against the counters from `first` on.
///
/// Every candidate is computed, whichever matches: time must not tell the client's counter.
struct CodeSearch {
    let first: Counter
    /// How many more counters follow.
    let reach: Int

    /// A match below `least` was used before and counts for nothing.
    func verdict(
        on code: OneTimeCode,
        notBefore least: Counter? = nil,
        _ expected: (Counter) -> OneTimeCode
    ) -> CodeVerdict {
        guard first.next != nil else { return .counterExhausted }
        var verdict = CodeVerdict.rejected
        for offset in 0...reach {
            guard let candidate = first.advanced(by: offset), let next = candidate.next else {
                break
            }
            let matches = expected(candidate) == code
            if matches, candidate >= least ?? first, verdict == .rejected {
                verdict = .accepted(next: next)
            }
        }
        return verdict
    }

    /// Accepts two codes of consecutive counters (RFC 4226, section 7.4) and uses up both.
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
