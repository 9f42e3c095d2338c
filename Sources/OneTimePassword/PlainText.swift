/// Returns whether all characters of a text are visible.
///
/// It rejects control, format, bidirectional, zero-width, private and unassigned characters,
/// separators of lines and paragraphs, and blank characters.
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
