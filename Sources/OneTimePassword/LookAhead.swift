/// How far a code's counter may be ahead of the expected counter (RFC 4226, section 7.4).
///
/// Each additional counter is an additional guess for an attacker: keep it small.
public struct LookAhead: Equatable, Sendable, ExpressibleByIntegerLiteral {
    public static let maximum = 100
    /// For codes that people type.
    public static let `default`: LookAhead = 10

    public let count: Int

    public init?(exactly count: Int) {
        guard (0...Self.maximum).contains(count) else { return nil }
        self.count = count
    }

    /// Takes a literal; a value out of range is a programming error.
    public init(integerLiteral count: Int) {
        precondition((0...Self.maximum).contains(count))
        self.count = count
    }
}

/// How far resynchronisation searches for two consecutive codes, which are much harder to guess
/// than one code.
public struct ResynchronisationReach: Equatable, Sendable, ExpressibleByIntegerLiteral {
    public static let maximum = 1000
    public static let `default`: ResynchronisationReach = 100

    public let count: Int

    public init?(exactly count: Int) {
        guard (0...Self.maximum).contains(count) else { return nil }
        self.count = count
    }

    /// Takes a literal; a value out of range is a programming error.
    public init(integerLiteral count: Int) {
        precondition((0...Self.maximum).contains(count))
        self.count = count
    }
}
