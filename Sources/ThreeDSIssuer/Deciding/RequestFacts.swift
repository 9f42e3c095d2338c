import StrictJSON
package import ThreeDSProtocol
import Transactions

/// The facts of an accepted AReq that decide about it.
package struct RequestFacts: Equatable, Sendable {
    var channel: DeviceChannel
    var category: MessageCategory
    var wishes: Set<ChallengeWish>
    var wantsDecoupled: Bool
    /// False for an app that cannot show the page of an approval on another device.
    var takesPage: Bool
    var sum: Sum
    var laterPayments: LaterPayments.Terms
    /// Nil if the person cannot be shown it: nothing of its texts is cut or dropped.
    var shop: Shop?

    /// The amount of the purchase.
    enum Sum: Equatable, Sendable {
        /// Not a payment, and without all elements of an amount.
        case none
        case amount(Amount)
        /// Too large for a transaction, or in a unit of funds.
        case unsupported

        init(_ request: Message, for category: MessageCategory) {
            // The reader has compared the exponent with that of the currency, if both are there.
            guard request["purchaseExponent"] != nil, let purchase = Purchase(request) else {
                self = category == .payment ? .unsupported : .none
                return
            }
            self = purchase.amount.map { .amount($0) } ?? .unsupported
        }
    }

    /// Nil if the message is not an AReq with a channel and a category.
    package init?(_ request: Message, by settings: IssuerSettings) {
        guard request.type == .areq,
            let channel = request["deviceChannel"].flatMap(DeviceChannel.init),
            let category = request["messageCategory"].flatMap(MessageCategory.init)
        else { return nil }
        self.channel = channel
        self.category = category
        wishes = request.wishes
        wantsDecoupled = ["Y", "B"].contains(request["threeDSRequestorDecReqInd"] ?? "")
        takesPage = channel != .app || request.offersPage
        sum = Sum(request, for: category)
        laterPayments = LaterPayments.Terms(request, category, sum)
        shop = Shop(request, in: settings.language)
    }
}

extension Message {
    /// One code, or from version 2.3.1 an array of codes and on every channel.
    var wishes: Set<ChallengeWish> {
        guard let value = self[value: "threeDSRequestorChallengeInd"] else { return [] }
        let codes = value.text.map { [$0] } ?? value.elements.compactMap(\.text)
        return Set(codes.compactMap(ChallengeWish.init))
    }

    /// Whether the app shows native pages (01, 03), and among them that of another device (04).
    fileprivate var offersPage: Bool {
        guard let options = self[value: "deviceRenderOptions"] else { return false }
        let types = options["sdkUiType"]?.elements.compactMap(\.text) ?? []
        return ["01", "03"].contains(options["sdkInterface"]?.text ?? "") && types.contains("04")
    }
}
