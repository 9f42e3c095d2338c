/// What a verification says about a code.
public enum CodeVerdict: Equatable, Sendable {
    /// The code is right; store `next` before telling anyone.
    case accepted(next: Counter)
    case rejected
    /// The counter stands at its end: no code can be accepted any more.
    case counterExhausted
}

/// How many counters beyond the expected one are tried (RFC 4226, section 7.4).
///
/// Each is one more guess for whoever guesses: keep it small.
public struct LookAhead: Equatable, Sendable, ExpressibleByIntegerLiteral {
    public static let largest = 1000
    /// For codes that a person types.
    public static let typed: LookAhead = 10
    /// For two consecutive codes, which are far harder to guess than one.
    public static let resynchronisation: LookAhead = 100

    public let count: Int

    public init?(exactly count: Int) {
        guard (0...Self.largest).contains(count) else { return nil }
        self.count = count
    }

    /// Takes a number that stands in the source; one out of range is the programmer's mistake.
    public init(integerLiteral count: Int) {
        precondition((0...Self.largest).contains(count))
        self.count = count
    }
}
