/// A type that is parsed from one word of the command line.
package protocol ArgumentValue: ParameterValue where Item == Self {
    /// Its name in the help: `FILE`.
    static var valueName: String { get }
    /// Completes the error message "--count must be …".
    static var expectation: String { get }
    /// The completions that a shell offers.
    static var candidates: Candidates { get }

    init?(argument: String)
}

extension ArgumentValue {
    package static var candidates: Candidates { .none }
}

/// Any text.
extension String: ArgumentValue {
    package static var valueName: String { "TEXT" }
    package static var expectation: String { localized("text", german: "Text") }

    package init?(argument: String) { self = argument }
}

extension ArgumentValue where Self: FixedWidthInteger {
    package static var valueName: String { "N" }
    package static var expectation: String {
        localized("a whole number", german: "eine ganze Zahl")
    }

    package init?(argument: String) { self.init(argument) }
}

extension Int: ArgumentValue {}
extension Int32: ArgumentValue {}
extension UInt64: ArgumentValue {}

/// Help and completion list the cases of an enumeration.
extension ArgumentValue where Self: CaseIterable & RawRepresentable<String> {
    package static var valueName: String { allCases.map(\.rawValue).joined(separator: "|") }
    package static var expectation: String {
        (allCases.count > 1 ? localized("one of ", german: "eines von ") : "")
            + allCases.map(\.rawValue).joined(separator: ", ")
    }
    package static var candidates: Candidates {
        .words(allCases.map { Candidate(word: $0.rawValue) })
    }

    package init?(argument: String) { self.init(rawValue: argument) }
}
