/// Whether a text shows what it holds.
///
/// No control, format, bidirectional, zero-width, private or unassigned character, no separator of
/// lines or paragraphs, and none that leaves no mark where others show.
package func isPlainText(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
        if scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}" { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }
}
