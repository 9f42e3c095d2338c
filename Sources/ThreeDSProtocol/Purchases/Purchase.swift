import StrictJSON
package import Transactions

/// The amount and the time of a purchase, from the elements of an accepted AReq.
package struct Purchase: Equatable, Sendable {
    /// Nil if this project has no amounts of this size, or in this currency.
    package let amount: Amount?
    /// In UTC: `YYYYMMDDHHMMSS`.
    package let date: String

    /// Nil if the message has no purchase.
    package init?(_ message: Message) {
        guard let digits = message["purchaseAmount"], let date = message["purchaseDate"],
            let code = message["purchaseCurrency"].flatMap(NumericCurrency.init)
        else { return nil }
        // Zeros may lead. A number of 48 digits can exceed 64 bits.
        amount = UInt64(digits).flatMap { units in
            code.currency.flatMap { Amount(minorUnits: units, currency: $0) }
        }
        self.date = date
    }
}
