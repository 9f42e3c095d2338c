import Localization
import ThreeDSProtocol
import Transactions

/// The shop of an AReq as the person sees it.
///
/// Its texts come from strangers. A character that could hide, reorder or imitate others is spelled
/// out, as in `\u{202E}`, and nothing is cut or dropped. A backslash is spelled out, too, so no two
/// texts look the same.
struct Shop: Equatable, Sendable {
    let name: DisplayText
    /// Distinguishes shops of one name; every payment has it.
    let merchant: DisplayText?

    /// Nil if a text is too long for a transaction.
    init?(_ request: Message, in language: Language) {
        guard let text = request["merchantName"] ?? request["threeDSRequestorName"],
            let name = spelledOut(withSingleSpaces(text)),
            name.count <= Transaction.Payee.maximumNameLength
        else { return nil }
        self.name = name
        guard let text = Self.merchant(of: request, in: language) else {
            merchant = nil
            return
        }
        guard let merchant = spelledOut(text),
            merchant.count <= Transaction.Payee.maximumMerchantLength
        else { return nil }
        self.merchant = merchant
    }

    /// Nil unless the AReq has all three elements.
    private static func merchant(of request: Message, in language: Language) -> String? {
        guard let id = request["acquirerMerchantID"], let acquirer = request["acquirerBIN"],
            let country = request["merchantCountryCode"].flatMap(countryName)
        else { return nil }
        return IssuerText.merchant(id, ofAcquirer: acquirer, in: country).text(in: language)
    }
}

/// Nil for an empty text, or one that ends with a space.
private func spelledOut(_ text: String) -> DisplayText? {
    let text = withSpelledBackslashes(text.normalized)
    // Most texts break no rule. Which rule is broken does not help the shop: `try?`.
    return (try? DisplayText(text)) ?? (try? DisplayText(visible(text)))
}

/// A literal `\u{202E}` of the shop would look like the spelling of another character.
private func withSpelledBackslashes(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    // Scalar values, as below.
    return text.unicodeScalars.map { $0 == "\\" ? "\\u{5C}" : String($0) }.joined()
}

/// Without spaces at the ends: fields of a fixed width have them.
private func withSingleSpaces(_ text: String) -> String {
    // Scalar values: a space and a combining mark are one character.
    let words = text.unicodeScalars.split(separator: " ")
    var scalars = String.UnicodeScalarView()
    for (index, word) in words.enumerated() {
        if index > 0 { scalars.append(" ") }
        scalars.append(contentsOf: word)
    }
    return String(scalars)
}
