@_spi(_Unicode) import Swift

/// A text that shows what it holds, in one line and one spelling.
///
/// Whoever words a transaction must not be able to hide, reorder or imitate characters on the
/// device that shows it; so a text that could is refused as a whole, never mended. Two texts that
/// are equal are equal byte for byte. What remains are look-alikes within one script, and within
/// what Japanese, Chinese and Korean write together.
package struct DisplayText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) throws(Refusal) {
        guard let last = text.unicodeScalars.last else { throw Refusal(.empty, offset: 0) }
        var rules = DisplayRules()
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            if let rule = rules.rule(brokenBy: scalar) { throw Refusal(rule, offset: offset) }
        }
        let count = text.unicodeScalars.count
        guard last != " " else { throw Refusal(.spacing, offset: count - 1) }
        // The only normaliser in the standard library, and not promised to last; FoundationEssentials
        // calls it too, and offers none of its own. Should it go, this line no longer compiles.
        let normalized = zip(text.unicodeScalars, text._nfc).prefix { $0 == $1 }.count
        guard normalized == count else { throw Refusal(.notNormalized, offset: normalized) }
        self.text = text
    }

    /// How many Unicode scalars it has: a number on which all versions of Unicode agree.
    package var count: Int { text.unicodeScalars.count }
}

extension DisplayText {
    package enum Rule: Equatable, Sendable {
        case empty
        /// Leaves no mark, or another one each time: control, format, bidirectional, zero-width,
        /// private and unassigned characters, separators of lines, variation selectors.
        case hidden
        /// White space other than U+0020.
        case whiteSpace
        /// A space first, last or after a space.
        case spacing
        /// In no script that is widely written today (`Script`), or a symbol that imitates others.
        case unsupported
        /// A combining mark without a letter, a repeated one, one that strikes its letter through or
        /// goes around it, or too many over one letter.
        case marks
        /// Scripts in one word that nobody writes together.
        case mixedScripts
        /// Digits of several scripts in one number: a Bengali four looks like an 8.
        case mixedDigits
        /// Not in Normalization Form C (Unicode Standard Annex #15).
        case notNormalized
    }

    /// Which rule a text breaks and where, counted in scalars; never the text.
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

/// Spells out, as in `\u{202E}`, each character that `DisplayText` would refuse where it stands.
///
/// For text that did not come through that gate and is shown nevertheless, in a log or a terminal.
package func visible(_ text: String) -> String {
    var rules = DisplayRules()
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        guard rules.rule(brokenBy: scalar) != nil else {
            shown.append(scalar)
            continue
        }
        let escape = "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars
        // What comes next stands after the escape, not after what is no longer there.
        for scalar in escape { _ = rules.rule(brokenBy: scalar) }
        shown += escape
    }
    return String(shown)
}
