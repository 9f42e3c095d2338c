/// How many counters beyond the expected one a code may have (RFC 4226, section 7.4).
///
/// Each is one more guess for whoever guesses: keep it small.
public struct LookAhead: Equatable, Sendable, ExpressibleByIntegerLiteral {
    public static let largest = 100
    /// For codes that a person types.
    public static let `default`: LookAhead = 10

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

/// How far resynchronisation looks for two codes in a row, which are far harder to guess than one.
public struct ResynchronisationReach: Equatable, Sendable, ExpressibleByIntegerLiteral {
    public static let largest = 1000
    public static let standard: ResynchronisationReach = 100

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
