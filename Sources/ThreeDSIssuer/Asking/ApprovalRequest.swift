import Localization
package import ThreeDSProtocol
import Transactions

/// The call of the bank's API that requests a person's approval of a purchase.
///
/// It is made from the AReq alone, before the ARes promises a challenge. So each promise can be
/// kept. The store then needs `document` and `summary`, and not the AReq.
package struct ApprovalRequest: Sendable {
    let content: Transaction.Content
    /// The name of the shop as the person sees it.
    let shop: DisplayText
    /// `acsTransID`, which is also the `Idempotency-Key`: a repeated call creates nothing.
    let reference: ExternalReference
    let authentication: AuthenticationTypes
    let seconds: Int
    /// Nil if the purchase is all that the person approves.
    let laterPayments: LaterPayments?
    /// The purchase in words, for the page in the shop's app.
    package let summary: String

    /// Nil if the person cannot be shown the purchase.
    ///
    /// `policySeconds` is the longest time that the verifier accepts, if it is known.
    package init?(
        for request: Message,
        _ facts: RequestFacts,
        _ authentication: CardAuthentication,
        card: Card,
        policySeconds: Int? = nil,
        by settings: IssuerSettings
    ) {
        let language = settings.language
        let later = facts.laterPayments.payments
        guard facts.sum != .unsupported, facts.laterPayments != .unsupported,
            let shop = facts.shop,
            let reference = ExternalReference(authentication.acsTransID),
            let content = authentication.category == .payment
                ? Transaction.Content(payment: request, facts.sum, to: shop, card, later, language)
                : Transaction.Content(confirmation: request, for: shop, card, later, language)
        else { return nil }
        self.content = content
        self.shop = shop.name
        self.reference = reference
        laterPayments = later
        self.authentication = authentication.ways
        seconds = authentication.approvalSeconds(
            for: request,
            policySeconds: policySeconds,
            by: settings
        )
        summary = Self.summary(of: content, at: shop, card, later, language)
    }

    /// Nil if the person confirms a card without a payment.
    var shownAmount: Amount? { content.context == .payment ? content.amounts.first : nil }

    private static func summary(
        of content: Transaction.Content,
        at shop: Shop,
        _ card: Card,
        _ later: LaterPayments?,
        _ language: Language
    ) -> String {
        let amount = content.context == .payment ? content.amounts.first : nil
        let purchase =
            amount.map { IssuerText.summary($0.formatted, to: shop.name.text) }
            ?? IssuerText.summary(confirmationFor: shop.name.text)
        let lines = [
            purchase, IssuerText.card(ending: card.lastFour),
            later.map { _ in IssuerText.laterPaymentsOnDevice },
        ]
        return lines.compactMap { $0?.text(in: language) }.joined(separator: "\n")
    }
}
