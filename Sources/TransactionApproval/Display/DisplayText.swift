@_spi(_Unicode) import Swift

/// A text that cannot hide, reorder or imitate characters.
///
/// A text that breaks a rule is refused as a whole and never repaired. Equal texts have equal
/// bytes. Look-alikes within one script remain, and those within the scripts that Japanese, Chinese
/// and Korean combine.
package struct DisplayText: Hashable, Sendable {
    package let text: String

    /// The version that device and verifier agree on.
    ///
    /// A change needs the steps of docs/protocol/versioning.md.
    package static let unicodeVersion = (major: 14, minor: 0)

    package init(_ text: String) throws(Refusal) {
        guard let last = text.unicodeScalars.last else { throw Refusal(.empty, offset: 0) }
        var rules = DisplayRules()
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            if let rule = rules.rule(brokenBy: scalar) { throw Refusal(rule, offset: offset) }
        }
        let count = text.unicodeScalars.count
        guard last != " " else { throw Refusal(.spacing, offset: count - 1) }
        // The only normalizer in the standard library. It is not a stable API, but
        // FoundationEssentials has none of its own.
        let normalized = zip(text.unicodeScalars, text._nfc).prefix { $0 == $1 }.count
        guard normalized == count else { throw Refusal(.notNormalized, offset: normalized) }
        self.text = text
    }

    /// In Unicode scalars, on which all Unicode versions agree.
    package var count: Int { text.unicodeScalars.count }
}

extension DisplayText {
    package enum Rule: Equatable, Sendable {
        case empty
        /// Invisible, or with varying appearance: control, format, bidirectional, zero-width,
        /// private and unassigned characters, line separators, variation selectors.
        case hidden
        case whiteSpace
        /// A space at the start, at the end or after a space.
        case spacing
        /// In no `Script`, or a symbol that imitates other characters.
        case unsupported
        /// A combining mark without a letter, a repeated mark, a mark that strikes through or
        /// encloses, or too many marks.
        case marks
        /// Scripts that no language combines in one word.
        case mixedScripts
        /// Digits of several scripts in one number: a Bengali four looks like an 8.
        case mixedDigits
        /// Unicode Standard Annex #15.
        case notNormalized
    }

    /// The broken rule and the offset in scalars; never the text.
    package struct Refusal: Error, Equatable, Sendable {
        package let rule: Rule
        package let offset: Int

        init(_ rule: Rule, offset: Int) {
            self.rule = rule
            self.offset = offset
        }
    }
}

extension DisplayText: CustomStringConvertible {
    package var description: String { text }
}

/// Escapes, as in `\u{202E}`, each character that `DisplayText` would refuse.
///
/// For text in a log or a terminal that is not a `DisplayText`.
package func visible(_ text: String) -> String {
    var rules = DisplayRules()
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        guard rules.rule(brokenBy: scalar) != nil else {
            shown.append(scalar)
            continue
        }
        let escape = "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars
        // The next character follows the escape, not the escaped character.
        for scalar in escape { _ = rules.rule(brokenBy: scalar) }
        shown += escape
    }
    return String(shown)
}
