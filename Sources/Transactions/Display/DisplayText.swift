/// A text that cannot hide, reorder or imitate characters.
///
/// A text that breaks a rule is refused as a whole and never repaired. Equal texts have equal
/// bytes. Look-alikes within one script remain, and those within the scripts that Japanese, Chinese
/// and Korean combine.
package struct DisplayText: Hashable, Sendable {
    package let text: String
    /// In Unicode scalars, on which all Unicode versions agree.
    package let count: Int

    /// The version that device and verifier agree on.
    ///
    /// A change needs the steps of docs/protocol/versioning.md.
    package static let unicodeVersion = (major: 14, minor: 0)

    package init(_ text: String) throws(Refusal) {
        var rules = DisplayRules()
        var count = 0
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if let rule = rules.rule(brokenBy: scalar) { throw Refusal(rule, offset: count) }
            last = scalar
            count += 1
        }
        guard count > 0 else { throw Refusal(.empty, offset: 0) }
        guard last != " " else { throw Refusal(.spacing, offset: count - 1) }
        let normalized = text.normalizedScalarCount
        guard normalized == count else { throw Refusal(.notNormalized, offset: normalized) }
        self.text = text
        self.count = count
    }
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
    var shown: [UInt8] = []
    for scalar in text.unicodeScalars {
        guard rules.rule(brokenBy: scalar) != nil else {
            shown += Array(String(scalar).utf8)
            continue
        }
        let number = Array(String(scalar.value, radix: 16, uppercase: true).utf8)
        let escape = Array("\\u{".utf8) + number + [UInt8(ascii: "}")]
        // The next character follows the escape, not the escaped character.
        for byte in escape { _ = rules.rule(brokenBy: Unicode.Scalar(byte)) }
        shown += escape
    }
    return String(decoding: shown, as: UTF8.self)
}
