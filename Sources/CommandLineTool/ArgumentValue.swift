/// A type that one word on the command line can stand for.
package protocol ArgumentValue: ParameterValue where Item == Self {
    /// What help calls it: `FILE`.
    static var valueName: String { get }
    /// What a word that is none fails to be: "must be a whole number".
    static var expectation: String { get }
    /// What a shell can offer in its place.
    static var candidates: Candidates { get }

    init?(argument: String)
}

extension ArgumentValue {
    package static var candidates: Candidates { .none }
}

/// Text of any kind.
extension String: ArgumentValue {
    package static var valueName: String { "TEXT" }
    package static var expectation: String { "text" }

    package init?(argument: String) { self = argument }
}

extension ArgumentValue where Self: FixedWidthInteger {
    package static var valueName: String { "N" }
    package static var expectation: String { "a whole number" }

    package init?(argument: String) { self.init(argument) }
}

extension Int: ArgumentValue {}
extension Int32: ArgumentValue {}
extension UInt64: ArgumentValue {}

/// An enumeration of words is spelled out, in help as in what a shell offers.
extension ArgumentValue where Self: CaseIterable & RawRepresentable<String> {
    package static var valueName: String { allCases.map(\.rawValue).joined(separator: "|") }
    package static var expectation: String {
        "one of " + allCases.map(\.rawValue).joined(separator: ", ")
    }
    package static var candidates: Candidates {
        .words(allCases.map { Candidate(word: $0.rawValue) })
    }

    package init?(argument: String) { self.init(rawValue: argument) }
}

/// The path of a file, which shells complete.
package struct FilePath: ArgumentValue, Equatable {
    package static let valueName = "FILE"
    package static let expectation = "a file name"
    package static let candidates = Candidates.files

    package let text: String

    package init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }
}
