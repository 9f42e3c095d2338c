import Localization
import ThreeDSProtocol
import Transactions

extension Transaction.Content {
    /// A payment to the shop; nil without an amount, or without the elements of its merchant.
    init?(payment request: Message, to shop: Shop, _ card: Card, _ language: Language) {
        guard case .amount(let amount) = RequestFacts.Sum(request, for: .payment),
            let merchant = shop.merchant,
            let title = IssuerText.payment.displayText(in: language),
            let payee = try? Transaction.Payee(name: shop.name, recipient: .merchant(merchant))
        else { return nil }
        // The texts are ours or have been checked, so the reason cannot help: `try?`.
        try? self.init(
            context: .payment,
            title: title,
            fields: [.card(card, language), .clock(of: request, language)].compactMap { $0 },
            amounts: [amount],
            payees: [payee]
        )
    }

    /// A card that the shop stores or checks, without a payment.
    ///
    /// A shop of a later payment can name its amount. The person does not pay it now, so there is
    /// no payee.
    init?(confirmation request: Message, for shop: Shop, _ card: Card, _ language: Language) {
        var amounts: [Amount] = []
        switch RequestFacts.Sum(request, for: .nonPayment) {
        case .none: break
        case .amount(let amount): amounts = [amount]
        case .unsupported: return nil
        }
        guard let title = IssuerText.confirmation.displayText(in: language) else { return nil }
        let fields: [Transaction.DisplayField?] = [
            Transaction.DisplayField(IssuerText.shop, shop.name, language),
            Transaction.DisplayField(IssuerText.shopNumber, shop.merchant, language),
            .card(card, language), .clock(of: request, language),
        ]
        // As above: `try?`.
        try? self.init(
            context: .action,
            title: title,
            fields: fields.compactMap { $0 },
            amounts: amounts
        )
    }
}

extension Transaction.DisplayField {
    fileprivate init?(_ label: LocalizedText, _ value: DisplayText?, _ language: Language) {
        guard let label = label.displayText(in: language), let value else { return nil }
        // The texts are within the limits: `try?`.
        try? self.init(label: label, value: value)
    }

    fileprivate static func card(_ card: Card, _ language: Language) -> Self? {
        let value = IssuerText.ending(card.lastFour).displayText(in: language)
        return Self(IssuerText.card, value, language)
    }

    /// Nil if the AReq has no time of the purchase.
    fileprivate static func clock(of request: Message, _ language: Language) -> Self? {
        guard let date = request["purchaseDate"].map({ Array($0.utf8) }), date.count == 14 else {
            return nil
        }
        func part(_ range: Range<Int>) -> String { String(decoding: date[range], as: UTF8.self) }
        let day = [part(0..<4), part(4..<6), part(6..<8)].joined(separator: "-")
        let time = [part(8..<10), part(10..<12), part(12..<14)].joined(separator: ":")
        return Self(IssuerText.shopClock, try? DisplayText("\(day) \(time) UTC"), language)
    }
}

extension LocalizedText {
    /// Nil only for a text that the display rules refuse.
    fileprivate func displayText(in language: Language) -> DisplayText? {
        try? DisplayText(text(in: language))
    }
}
