package import Cryptography
package import ThreeDSProtocol
package import Transactions

/// The rules for cards that are added.
package struct CardRules: Sendable {
    /// The enterprise of the verifier that has the accounts.
    let enterprise: EnterpriseID
    let directories: [CardDirectory]
    /// Whether a mistyped number is noticed.
    let comparesCheckDigit: Bool

    package init(
        of enterprise: EnterpriseID,
        _ directories: [CardDirectory],
        comparingCheckDigit comparesCheckDigit: Bool
    ) {
        self.enterprise = enterprise
        self.directories = directories
        self.comparesCheckDigit = comparesCheckDigit
    }

    /// The card number, if the digits can be a card of this issuer.
    package func number(
        _ digits: Span<UInt8>
    ) throws(CryptographyFailure) -> Result<CardNumber, CardRefusal> {
        guard let number = try CardNumber(digits) else { return .failure(.malformedNumber) }
        guard !comparesCheckDigit || number.hasCheckDigit else {
            return .failure(.wrongCheckDigit)
        }
        guard directories.contains(where: { $0.includes(number) }) else {
            return .failure(.outsideRanges)
        }
        return .success(number)
    }

    /// An account is in lists and in calls of the verifier, so it must not have a card number.
    package func refusal(of account: CardAccount) throws(CryptographyFailure) -> CardRefusal? {
        guard account.enterprise == enterprise else {
            return .otherEnterprise(configured: enterprise)
        }
        for text in [account.key.type.text, account.key.id.text] where try isNumber(text) {
            return .numberAsAccount
        }
        return nil
    }

    /// Whether the text is a card number, also with separators between its digits.
    private func isNumber(_ text: String) throws(CryptographyFailure) -> Bool {
        let digits = text.utf8.filter { !"._-".utf8.contains($0) }
        if case .success = try number(digits.span) { return true }
        return false
    }
}
