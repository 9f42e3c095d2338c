import CommandLineTool
import ThreeDSIssuer

/// `--no-check-digit`, for commands that add cards.
struct CheckDigitFlag: Sendable {
    @Flag("no-check-digit", help: "Do not compare the check digit: the cards have none.")
    private var ignoresCheckDigit: Bool

    /// Whether a mistyped number can be noticed.
    var comparesCheckDigit: Bool { !ignoresCheckDigit }

    func rules(for configuration: Configuration) -> CardRules {
        CardRules(
            of: configuration.enterprise,
            configuration.directories.map(\.directory),
            comparingCheckDigit: comparesCheckDigit
        )
    }
}
