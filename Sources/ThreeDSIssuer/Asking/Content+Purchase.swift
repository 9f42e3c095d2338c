import Localization
import ThreeDSProtocol
import Transactions

extension Transaction.Content {
    /// A payment to the shop; nil without an amount, or without the elements of its merchant.
    init?(
        payment request: Message,
        _ sum: RequestFacts.Sum,
        to shop: Shop,
        _ card: Card,
        _ later: LaterPayments?,
        _ language: Language
    ) {
        guard case .amount(let amount) = sum,
            let merchant = shop.merchant,
            let title = IssuerText.payment.displayText(in: language),
            let fields = Self.fields(of: request, card, later, language),
            let payee = try? Transaction.Payee(name: shop.name, recipient: .merchant(merchant))
        else { return nil }
        // The texts are ours or have been checked, so the reason cannot help: `try?`.
        try? self.init(
            context: .payment,
            title: title,
            fields: fields,
            amounts: [amount],
            payees: [payee]
        )
    }

    /// A card that the shop stores or checks, without a payment.
    ///
    /// The person does not pay now, so there is no payee, and the amount of a later payment is one
    /// of the fields.
    init?(
        confirmation request: Message,
        for shop: Shop,
        _ card: Card,
        _ later: LaterPayments?,
        _ language: Language
    ) {
        guard let title = IssuerText.confirmation.displayText(in: language),
            let name = Transaction.DisplayField(IssuerText.shop, shop.name, language),
            let fields = Self.fields(of: request, card, later, language)
        else { return nil }
        let number = Transaction.DisplayField(IssuerText.shopNumber, shop.merchant, language)
        // As above: `try?`.
        try? self.init(
            context: .action,
            title: title,
            fields: [name] + (number.map { [$0] } ?? []) + fields
        )
    }

    /// Later payments, the card, and the time of the purchase if the AReq has one.
    private static func fields(
        of request: Message,
        _ card: Card,
        _ later: LaterPayments?,
        _ language: Language
    ) -> [Transaction.DisplayField]? {
        var fields: [Transaction.DisplayField?] = []
        for (label, value) in later?.lines ?? [] {
            fields.append(.init(label, value.displayText(in: language), language))
        }
        let ending = IssuerText.ending(card.lastFour).displayText(in: language)
        fields.append(.init(IssuerText.card, ending, language))
        if let date = request["purchaseDate"] { fields.append(.init(clock: date, language)) }
        let complete = fields.compactMap { $0 }
        return complete.count == fields.count ? complete : nil
    }
}

extension Transaction.DisplayField {
    fileprivate init?(_ label: LocalizedText, _ value: DisplayText?, _ language: Language) {
        guard let label = label.displayText(in: language), let value else { return nil }
        // The texts are within the limits: `try?`.
        try? self.init(label: label, value: value)
    }

    /// Nil for another form than `YYYYMMDDHHMMSS`.
    fileprivate init?(clock date: String, _ language: Language) {
        let digits = Array(date.utf8)
        guard digits.count == 14 else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        let day = [part(0..<4), part(4..<6), part(6..<8)].joined(separator: "-")
        let time = [part(8..<10), part(10..<12), part(12..<14)].joined(separator: ":")
        // Digits and our own characters are within the display rules: `try?`.
        self.init(IssuerText.shopClock, try? DisplayText("\(day) \(time) UTC"), language)
    }
}

extension LocalizedText {
    /// Nil only for a text that the display rules refuse.
    fileprivate func displayText(in language: Language) -> DisplayText? {
        // The request is refused then, whatever the rule: `try?`.
        try? DisplayText(text(in: language))
    }
}
