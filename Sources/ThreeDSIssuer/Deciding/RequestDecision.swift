package import ThreeDSProtocol
import Transactions

/// The decision of the ACS about an AReq.
package enum RequestDecision: Equatable, Sendable {
    /// The person approves on their device before the shop gets a result.
    case challenge
    /// Authenticated without the person.
    case frictionless
    /// The person approves later, and the shop does not wait for it.
    case decoupled
    /// The data were received, and nothing is authenticated.
    case informationOnly
    case refused(Refusal)
    /// No ARes, but an error message.
    case error(MessageErrorCode)

    /// Everything that decides, apart from the operator's settings.
    package struct Facts: Sendable {
        var request: RequestFacts
        var card: CardLookup
        var readiness: Readiness
        var exempted: ExemptedPayments
        var live: LiveChallenges

        /// For a card that is not active, the readiness is not known and does not matter.
        package init(
            _ request: RequestFacts,
            _ card: CardLookup,
            _ readiness: Readiness = .unreachable,
            exempted: ExemptedPayments = .none,
            live: LiveChallenges = .none
        ) {
            self.request = request
            self.card = card
            self.readiness = readiness
            self.exempted = exempted
            self.live = live
        }
    }

    /// The first rule that applies decides.
    package init(on facts: Facts, by settings: IssuerSettings) {
        switch facts.card {
        case .outsideRanges: self = .error(.transactionDataInvalid)
        case .noRecord: self = .refused(.noCardRecord)
        case .blocked: self = .refused(.cardBlocked)
        case .active: self = Self.aboutActiveCard(facts, settings)
        }
    }

    private static func aboutActiveCard(_ facts: Facts, _ settings: IssuerSettings)
        -> RequestDecision
    {
        let request = facts.request
        // A shopper who does not wait could not see the number.
        let isDecoupled =
            settings.offersDecoupled && request.wantsDecoupled && !facts.readiness.needsNumber
        if request.category == .nonPayment, !settings.takesNonPayments {
            return .refused(.nonPayment)
        }
        if request.channel == .requestor, !isDecoupled { return .refused(.requestorInitiated) }
        if settings.givesOnlyInformation(to: request.wishes) { return .informationOnly }
        let ways = settings.ways(for: request)
        if let refusal = facts.readiness.refusal(toApproveBy: ways) { return .refused(refusal) }
        if request.sum == .unsupported { return .refused(.unsupportedAmount) }
        if request.laterPayments == .unsupported { return .refused(.unsupportedTerms) }
        if isDecoupled { return Self.needingPerson(.decoupled, facts, settings) }
        if !request.takesPage { return .refused(.unsupportedPage) }
        if !request.wishes.contains(.mandated), settings.exempts(request, after: facts.exempted) {
            return .frictionless
        }
        return Self.needingPerson(.challenge, facts, settings)
    }

    /// Decisions that need the person count as live challenges, and others do not.
    private static func needingPerson(
        _ decision: RequestDecision,
        _ facts: Facts,
        _ settings: IssuerSettings
    ) -> RequestDecision {
        guard facts.request.shop != nil else { return .refused(.notShowable) }
        let refusal = facts.live.refusal(isDecoupled: decision == .decoupled, by: settings)
        return refusal.map { .refused($0) } ?? decision
    }
}

extension IssuerSettings {
    /// The ways of approval that the ACS accepts; the verifier's policy can allow fewer.
    func ways(for request: RequestFacts) -> AuthenticationTypes {
        allowsConsent && request.isPaymentAlone ? .all : [.userPIN, .biometric]
    }

    fileprivate func givesOnlyInformation(to wishes: Set<ChallengeWish>) -> Bool {
        let optional = informationOnly.intersection([.riskAnalysed, .alreadyAuthenticated])
        return !wishes.isDisjoint(with: optional.union([.dataOnly]))
    }

    fileprivate func exempts(_ request: RequestFacts, after earlier: ExemptedPayments) -> Bool {
        guard request.isPaymentAlone, case .amount(let amount) = request.sum else { return false }
        return lowValue?.exempts(amount, after: earlier) ?? false
    }
}

extension RequestFacts {
    /// Only such a request can have fewer than two factors: EU 2018/389, article 14, demands them
    /// for a series.
    fileprivate var isPaymentAlone: Bool { category == .payment && laterPayments == .none }
}
