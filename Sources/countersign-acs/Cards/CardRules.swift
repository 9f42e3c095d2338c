import CommandLineTool
import Cryptography
import ThreeDSIssuer
import ThreeDSProtocol

/// The rules for cards that are added, with their option.
struct CardRules: Sendable {
    @Flag("no-check-digit", help: "Do not compare the check digit: the cards have none.")
    private var ignoresCheckDigit: Bool

    /// Whether a mistyped number can be noticed.
    var comparesCheckDigit: Bool { !ignoresCheckDigit }

    /// Fails if the digits cannot be a card of this issuer.
    func number(
        _ digits: Span<UInt8>,
        for configuration: Configuration
    ) throws(CommandFailure) -> Result<CardNumber, CardRefusal> {
        let number: CardNumber?
        do throws(CryptographyFailure) {
            number = try CardNumber(digits)
        } catch {
            throw CommandFailure(SystemFailure(error))
        }
        guard let number else { return .failure(.malformedNumber) }
        guard ignoresCheckDigit || number.hasCheckDigit else { return .failure(.wrongCheckDigit) }
        guard configuration.directories.contains(where: { $0.directory.includes(number) }) else {
            return .failure(.outsideRanges)
        }
        return .success(number)
    }

    func refusal(of account: CardAccount, for configuration: Configuration) -> CardRefusal? {
        account.enterprise == configuration.enterprise
            ? nil : .otherEnterprise(configured: configuration.enterprise)
    }
}
