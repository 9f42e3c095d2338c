package import TransactionApproval

/// The stored verdict of an attempt that was accepted or charged; a repeated attempt gets it again.
package enum AttemptVerdict: Equatable, Sendable {
    /// With the id of the login that it created, if any.
    case accepted(TransactionID?)
    /// It changed nothing; a repeated attempt changes nothing either.
    case unchanged
    case wrongCode(FailureCount.Consequence)
}

extension AttemptVerdict {
    /// The verdict as one line of text for the store.
    package var stored: String {
        switch self {
        case .accepted(nil): "accepted"
        case .accepted(let id?): "accepted \(id)"
        case .unchanged: "unchanged"
        case .wrongCode(.counted(let left)): "wrong counted \(left)"
        case .wrongCode(.locked(let end)): "wrong locked \(end.milliseconds)"
        case .wrongCode(.blocked): "wrong blocked"
        }
    }

    /// Nil if the text is not such a line.
    package init?(stored: String) {
        let words = stored.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch (words.first, words.count) {
        case ("accepted", 1): self = .accepted(nil)
        case ("accepted", 2):
            guard let id = TransactionID(words[1]) else { return nil }
            self = .accepted(id)
        case ("unchanged", 1): self = .unchanged
        case ("wrong", 2...3):
            guard let consequence = FailureCount.Consequence(words.dropFirst()) else { return nil }
            self = .wrongCode(consequence)
        default: return nil
        }
    }
}

extension FailureCount.Consequence {
    fileprivate init?(_ words: ArraySlice<String>) {
        switch (words.first, words.dropFirst().first) {
        case ("counted", let text?):
            guard let left = Int(text) else { return nil }
            self = .counted(attemptsLeft: left)
        case ("locked", let text?):
            guard let milliseconds = UInt64(text), let end = Timestamp(milliseconds: milliseconds)
            else { return nil }
            self = .locked(until: end)
        case ("blocked", nil): self = .blocked
        default: return nil
        }
    }
}
