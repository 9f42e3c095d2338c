import Transactions

/// A place in the list of challenges, the newest first.
package struct ChallengeCursor: Sendable {
    /// In milliseconds since 1970.
    let made: Int64
    let id: String

    /// Before all challenges.
    package static let start = ChallengeCursor(made: .max, id: "")

    init(made: Int64, id: String) {
        (self.made, self.id) = (made, id)
    }

    /// For programs, which get it with a page.
    package var text: String { "\(made)-\(id)" }

    /// Nil for a text that is not a cursor.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let made = UInt64(parts[0]), "\(made)" == parts[0],
            let moment = Timestamp(milliseconds: made), let id = ChallengeID(String(parts[1]))
        else { return nil }
        self.init(made: moment.stored, id: id.text)
    }
}
