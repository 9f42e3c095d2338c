import StrictJSON
package import Transactions

/// The amount and the time of a purchase, from the elements of an accepted AReq.
package struct Purchase: Equatable, Sendable {
    /// Nil if the amount exceeds the maximum of this project.
    package let amount: Amount?
    /// In UTC: `YYYYMMDDHHMMSS`.
    package let date: String

    /// Nil if the message has no purchase.
    package init?(_ message: Message) {
        guard let digits = message["purchaseAmount"], let date = message["purchaseDate"],
            let currency = message["purchaseCurrency"].flatMap(NumericCurrency.init)?.currency
        else { return nil }
        // Zeros may lead. A number of 48 digits has no place in 64 bits.
        let units = UInt64(digits.drop { $0 == "0" }.isEmpty ? "0" : digits.drop { $0 == "0" })
        amount = units.flatMap { Amount(minorUnits: $0, currency: currency) }
        self.date = date
    }

    /// The names of currencies and exponents that do not belong to each other.
    static func mismatchedExponents(in members: [JSONValue.Member]) -> [String] {
        ["purchase", "recurring"].flatMap { prefix -> [String] in
            let names = ["\(prefix)Currency", "\(prefix)Exponent"]
            let texts = names.map { members.text(of: $0) }
            guard let exponent = texts[1].flatMap({ Int($0) }),
                let currency = texts[0].flatMap(NumericCurrency.init)?.currency
            else { return [] }
            return currency.exponent == exponent ? [] : names
        }
    }
}
