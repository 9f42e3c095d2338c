/// Checks each character after the characters before it.
struct DisplayRules {
    private enum Place: Equatable {
        case start, afterSpace, afterOther
        case inLetter(marks: Int)
    }

    private var place = Place.start
    private var previous: Unicode.Scalar?
    /// The scripts of the current word.
    private var scripts: Scripts = []
    /// The digit zero of the script that is used since the last space.
    private var zero: UInt32?

    /// Nil if the character is valid at this place.
    mutating func rule(brokenBy scalar: Unicode.Scalar) -> DisplayText.Rule? {
        defer { previous = scalar }
        if scalar == " " { return takeSpace() }
        guard !scalar.isHidden else { return .hidden }
        guard scalar.properties.generalCategory != .spaceSeparator else { return .whiteSpace }
        guard let script = Script(of: scalar) else { return .unsupported }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: return take(mark: scalar, of: script)
        case .enclosingMark: return .marks
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            return take(.inLetter(marks: 0), of: script)
        case .letterNumber, .otherNumber: return take(.afterOther, of: script)
        case .decimalNumber: return take(digit: scalar, of: script)
        default: return takeBreak(keepingWord: scalar == "'" || scalar == "\u{2019}")
        }
    }

    private mutating func takeSpace() -> DisplayText.Rule? {
        guard place != .start, place != .afterSpace else { return .spacing }
        place = .afterSpace
        scripts = []
        zero = nil
        return nil
    }

    private mutating func takeBreak(keepingWord: Bool) -> DisplayText.Rule? {
        place = .afterOther
        if !keepingWord { scripts = [] }
        return nil
    }

    private mutating func take(_ next: Place, of script: Script) -> DisplayText.Rule? {
        if script != .common {
            let together = scripts.union(Scripts(script))
            guard together.canShareWord else { return .mixedScripts }
            scripts = together
        }
        place = next
        return nil
    }

    private mutating func take(
        mark: Unicode.Scalar,
        of script: Script
    ) -> DisplayText.Rule? {
        guard
            case .inLetter(let marks) = place, marks < script.maximumMarks, mark != previous,
            mark.properties.canonicalCombiningClass != .overlay
        else { return .marks }
        return take(.inLetter(marks: marks + 1), of: script)
    }

    private mutating func take(
        digit: Unicode.Scalar,
        of script: Script
    ) -> DisplayText.Rule? {
        let value = digit.properties.numericValue.map { UInt32($0) } ?? 0
        let ownZero = digit.value - value
        guard zero == nil || zero == ownZero else { return .mixedDigits }
        let rule = take(.afterOther, of: script)
        if rule == nil { zero = ownZero }
        return rule
    }
}

extension Unicode.Scalar {
    /// Whether the pinned version assigns it, even if the standard library knows a later version.
    private var isAssigned: Bool {
        guard let age = properties.age else { return false }
        return (age.major, age.minor) <= DisplayText.unicodeVersion
    }

    fileprivate var isHidden: Bool {
        if properties.isDefaultIgnorableCodePoint || !isAssigned { return true }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            true
        default: false
        }
    }
}
