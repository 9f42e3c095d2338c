import BankIntegration
import StrictJSON
import ThreeDSProtocol
import Transactions

/// The content of a check of an authentication value.
struct ValueCheck: Sendable {
    let value: AuthenticationValue
    let dsTransID: String
    let card: AuthorisedCard
    let amount: Amount
}

extension ValueCheck: RequestContent {
    init?(_ content: CheckedValue) {
        let names = ["value", "dsTransID", "card", "number", "amount"]
        guard let object = content.object(names) else { return nil }
        let value = object.required("value").flatMap {
            Self.read($0, "Must be 20 bytes in base64.") { AuthenticationValue($0) }
        }
        let id = object.required("dsTransID").flatMap {
            Self.read($0, "Must be a UUID.") {
                ChallengeID($0) == nil ? nil : $0
            }
        }
        let card: AuthorisedCard?
        if let number = object.optional("number") {
            card = Self.read(number.hidden(), "Must be 13 to 19 digits.") {
                CardNumber.isNumber(Array($0.utf8).span) ? .number($0) : nil
            }
            object.optional("card")?.violates(.notAllowed, "Must be omitted if number is set.")
        } else {
            card = object.required("card").flatMap {
                Self.read($0, "Must be the reference of a card.") { CardReference($0) }
            }.map { .reference($0) }
        }
        let amount = object.required("amount").flatMap { Self.amount($0) }
        guard let value, let id, let card, let amount else { return nil }
        self.init(value: value, dsTransID: id, card: card, amount: amount)
    }

    private static func read<Value>(
        _ value: CheckedValue,
        _ rule: String,
        _ read: (String) -> Value?
    ) -> Value? {
        guard let text = value.string() else { return nil }
        if let read = read(text) { return read }
        value.violates(.notAllowed, rule)
        return nil
    }

    private static func amount(_ value: CheckedValue) -> Amount? {
        guard let object = value.object(["currency", "minorUnits"]) else { return nil }
        let currency = object.required("currency").flatMap {
            read($0, "Must be the code of a currency, such as EUR.") { Currency($0) }
        }
        let units = object.required("minorUnits")?.integer(in: 0...Amount.maximumMinorUnits)
        guard let currency, let units else { return nil }
        return Amount(minorUnits: units, currency: currency)
    }
}
