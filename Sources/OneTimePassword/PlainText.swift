/// Whether a text shows what it holds: no control, format, bidirectional, zero-width, private or
/// unassigned character, and no separator of lines or paragraphs.
func isPlainText(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }
}
