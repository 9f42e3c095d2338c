/// The kind of a character in Unicode 14.0, as far as the rules need it.
///
/// The table is the same for device and verifier, and does not change with the standard library.
enum CharacterKind: UInt32, Sendable {
    /// Control, format, private and unassigned characters, line separators, and all that is
    /// ignorable by default.
    case hidden
    case whiteSpace
    case letter, mark
    /// An enclosing mark, or a mark that strikes through.
    case refusedMark
    case digit
    /// Another number, such as ½.
    case number
    /// A punctuation mark or a symbol, and every other character of a script that is not supported.
    case other
}

/// Characters of one kind that follow each other.
struct CharacterRun {
    let kind: CharacterKind
    /// For a digit, the zero of its script.
    let first: UInt32

    init(of scalar: Unicode.Scalar) {
        var (low, high) = (0, characterRuns.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if characterRuns[middle] >> 3 <= scalar.value { low = middle } else { high = middle }
        }
        first = characterRuns[low] >> 3
        kind = CharacterKind(rawValue: characterRuns[low] & 7) ?? .hidden
    }
}
