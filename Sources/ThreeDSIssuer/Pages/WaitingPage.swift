package import Localization
package import Transactions

/// The page in the shopper's browser while the person approves on their own device.
///
/// Nothing on the page approves: a person who is misled to press its buttons can lose the purchase,
/// and nothing else.
package struct WaitingPage: Sendable {
    package let handle: PageHandle
    /// Bound to the handle: each form has it, and no other website can send one.
    package let token: String
    /// Nil if the person confirms a card without a payment.
    package let amount: Amount?
    /// The name from the shop, which may be in any script.
    package let shop: DisplayText
    package let lastFour: String
    package let secondsLeft: Int
    /// Nil if the purchase is all that the person approves.
    var laterPayments: LaterPayments?
    /// The number that the person types on their device, if the verifier demands one.
    package var number: String?
    /// Whether nothing notifies the person, as the readiness stated.
    package var isMuted = false
    package var note = Note.waiting
    /// With `expired`, the page shows this in the place of its note.
    package var state = PageState.pending
    package var heading: LocalizedText = IssuerText.header
    package var logos = ChallengeLogos()
    /// The page of the web device, if a person may approve in this browser.
    package var device: WebAddress?

    /// The status, also after a form was sent; the raw values are in the address of the page.
    package enum Note: String, CaseIterable, Sendable {
        case waiting
        /// The verifier did not accept the request yet.
        case notRequested
        /// After "I have approved".
        case notYet
        /// After "Ask my device again".
        case askedAgain
        case askedTooSoon
        case notAskedAgain
    }

    package init(
        _ handle: PageHandle,
        token: String,
        amount: Amount?,
        shop: DisplayText,
        lastFour: String,
        secondsLeft: Int
    ) {
        self.handle = handle
        self.token = token
        self.amount = amount
        self.shop = shop
        self.lastFour = lastFour
        self.secondsLeft = max(0, secondsLeft)
    }

    package func page(in context: PageContext) -> BrowserPage {
        let content = WaitingContent(page: self, language: context.language)
        return BrowserPage(
            .waiting,
            heading,
            content.parts,
            loading: logos.addresses,
            in: context
        )
    }
}

extension WaitingPage: CustomStringConvertible, CustomReflectable {
    package var description: String { "<challenge page>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
