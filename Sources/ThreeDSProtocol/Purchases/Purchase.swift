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
        currencies.flatMap { name, exponentName -> [String] in
            guard let exponent = members.text(of: exponentName).flatMap({ Int($0) }),
                let currency = members.text(of: name).flatMap(NumericCurrency.init)?.currency
            else { return [] }
            return currency.exponent == exponent ? [] : [name, exponentName]
        }
    }

    private static let currencies = [
        ("purchaseCurrency", "purchaseExponent"), ("recurringCurrency", "recurringExponent"),
    ]
}
