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
        let run = CharacterRun(of: scalar)
        guard run.kind != .hidden else { return .hidden }
        guard run.kind != .whiteSpace else { return .whiteSpace }
        guard let script = Script(of: scalar) else { return .unsupported }
        return switch run.kind {
        case .mark: take(mark: scalar, of: script)
        case .refusedMark: .marks
        case .letter: take(.inLetter(marks: 0), of: script)
        case .number: take(.afterOther, of: script)
        case .digit: take(digitWithZero: run.first, of: script)
        default: takeBreak(keepingWord: scalar == "'" || scalar == "\u{2019}")
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
            case .inLetter(let marks) = place, marks < script.maximumMarks, mark != previous
        else { return .marks }
        return take(.inLetter(marks: marks + 1), of: script)
    }

    private mutating func take(
        digitWithZero ownZero: UInt32,
        of script: Script
    ) -> DisplayText.Rule? {
        guard zero == nil || zero == ownZero else { return .mixedDigits }
        let rule = take(.afterOther, of: script)
        if rule == nil { zero = ownZero }
        return rule
    }
}
