import ThreeDSProtocol
import Transactions

/// The data of the event `card.authenticated`: the result of an authentication.
///
/// It has neither the card number nor the authentication value.
struct AuthenticatedCard: Encodable, Sendable {
    let acsTransID: String
    let dsTransID: String?
    let threeDSServerTransID: String?
    /// `transStatus`.
    let status: String
    /// `transStatusReason`; nil for a success.
    let reason: String?
    /// Whether the person stated that they do not make the payment (SEC-86).
    let notMe: Bool
    /// How the person approved; nil without a success.
    let method: String?
    let account: String?
    /// The reference of the card.
    let card: String?
    let lastFour: String?
    let amount: ShownAmount?
    let merchant: String?
    let merchantID: String?
    /// The transaction of the verifier.
    let transaction: String?

    struct ShownAmount: Encodable, Sendable {
        let currency: String
        let minorUnits: UInt64
    }

    /// `card` is nil if it was removed while the person decided.
    init(
        _ authentication: Authentication,
        _ result: DecidedResult,
        isNotMe notMe: Bool = false,
        purchase: AuthenticatedPurchase? = nil,
        of card: Card?
    ) {
        let ids = authentication.facts.ids
        let purchase = purchase ?? authentication.purchase
        acsTransID = authentication.id
        (dsTransID, threeDSServerTransID) = (ids.directory, ids.server)
        (status, reason, self.notMe) = (result.status, result.reason, notMe)
        method = authentication.basis.map(\.word)
        let account = card?.account ?? authentication.challenge?.account
        (self.account, self.card) = (account?.description, authentication.card?.text)
        lastFour = card?.lastFour
        amount = purchase?.amount.map {
            ShownAmount(currency: $0.currency.code, minorUnits: $0.minorUnits)
        }
        (merchant, merchantID) = (purchase?.merchantName, purchase?.acquirerMerchantID)
        transaction = authentication.challenge?.latestTransaction?.text
    }
}

extension AuthenticationBasis {
    fileprivate var word: String {
        switch self {
        case .approval(_, let way): way.rawValue
        case .exemption: "exemption"
        }
    }
}
