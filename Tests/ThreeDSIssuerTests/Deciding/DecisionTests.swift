import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

/// A rule of the decision, with a change that makes it apply.
private struct Rule: CustomTestStringConvertible {
    let testDescription: String
    let decision: RequestDecision
    let apply: @Sendable (inout Situation) -> Void

    init(
        _ name: String,
        _ decision: RequestDecision,
        apply: @escaping @Sendable (inout Situation) -> Void
    ) {
        (testDescription, self.decision, self.apply) = (name, decision, apply)
    }
}

private struct Situation {
    var facts: RequestDecision.Facts
    var settings = IssuerSettings()

    /// A purchase of 10 EUR in a browser, which nothing but an approval can authenticate.
    init() throws {
        let message = try SampleRequest(
            .twoTwo,
            .browser,
            .payment,
            ["purchaseAmount": #""1000""#]
        ).message()
        facts = RequestDecision.Facts(
            try #require(RequestFacts(message, by: IssuerSettings())),
            .active(try SampleWorld.card()),
            .reported(.init(isReady: true, ways: [.userPIN]))
        )
    }

    var decision: RequestDecision { RequestDecision(on: facts, by: settings) }

    mutating func report(_ ways: AuthenticationTypes, retryAfterSeconds: Int? = nil) {
        facts.readiness = .reported(
            .init(
                isReady: !ways.isEmpty && retryAfterSeconds == nil,
                ways: ways,
                retryAfterSeconds: retryAfterSeconds
            )
        )
    }

    mutating func offerDecoupled() {
        facts.request.wantsDecoupled = true
        settings.offersDecoupled = true
    }
}

/// In the order in which they decide.
private let rules = [
    Rule("card outside of the ranges", .error(.transactionDataInvalid)) {
        $0.facts.card = .outsideRanges
    },
    Rule("no record of the card", .refused(.noCardRecord)) { $0.facts.card = .noRecord },
    Rule("blocked card", .refused(.cardBlocked)) { $0.facts.card = .blocked },
    Rule("no payment", .refused(.nonPayment)) {
        $0.facts.request.category = .nonPayment
        $0.settings.takesNonPayments = false
    },
    Rule("without a device of the cardholder", .refused(.requestorInitiated)) {
        $0.facts.request.channel = .requestor
        $0.settings.offersDecoupled = false
    },
    Rule("data only", .informationOnly) { $0.facts.request.wishes.insert(.dataOnly) },
    Rule("no device that can approve", .refused(.notReady)) { $0.report([]) },
    Rule("too many requests", .refused(.tooManyRequests)) {
        $0.report([.userPIN], retryAfterSeconds: 60)
    },
    Rule("verifier unreachable", .refused(.verifierUnreachable)) {
        $0.facts.readiness = .unreachable
    },
    Rule("amount too large", .refused(.unsupportedAmount)) {
        $0.facts.request.sum = .unsupported
    },
    Rule("several shops", .refused(.unsupportedTerms)) {
        $0.facts.request.laterPayments = .unsupported
    },
    Rule("decoupled", .decoupled) { $0.offerDecoupled() },
    Rule("app without the page", .refused(.unsupportedPage)) {
        $0.facts.request.channel = .app
        $0.facts.request.takesPage = false
    },
    Rule("mandated challenge", .challenge) { $0.facts.request.wishes.insert(.mandated) },
    Rule("low value", .frictionless) { situation in
        situation.settings.lowValue = Currency("EUR").map { LowValueRule($0) }
    },
    Rule("everything else", .challenge) { _ in },
]

@Suite struct `The decision about an AReq` {
    @Test(arguments: rules.indices)
    func `is that of the rule that applies`(_ index: Int) throws {
        var situation = try Situation()
        rules[index].apply(&situation)
        #expect(situation.decision == rules[index].decision)
    }

    /// Each pair of rules, of which the earlier one has its change applied last.
    @Test(arguments: rules.indices)
    func `is that of the earlier rule if two apply`(_ index: Int) throws {
        for later in rules[(index + 1)...] {
            var situation = try Situation()
            later.apply(&situation)
            rules[index].apply(&situation)
            #expect(situation.decision == rules[index].decision, "\(later.testDescription)")
        }
    }

    @Test func `needs two factors for a payment with later payments (SEC-77)`() throws {
        var situation = try Situation()
        situation.settings.lowValue = Currency("EUR").map { LowValueRule($0) }
        situation.settings.allowsConsent = true
        #expect(situation.decision == .frictionless)
        #expect(situation.settings.ways(for: situation.facts.request) == .all)
        situation.facts.request.laterPayments = .stated(
            LaterPayments(next: try SampleWorld.euro(1))
        )
        #expect(situation.decision == .challenge)
        situation.report([.consent])
        #expect(situation.decision == .refused(.notReady))
    }

    @Test func `is an approval later for a shop without a device, if it is offered`() throws {
        var situation = try Situation()
        situation.facts.request.channel = .requestor
        situation.settings.offersDecoupled = true
        #expect(situation.decision == .refused(.requestorInitiated))
        situation.offerDecoupled()
        #expect(situation.decision == .decoupled)
        situation.facts.request.wishes = [.mandated]
        #expect(situation.decision == .decoupled)
    }

    @Test func `is a challenge if the shop wants it decoupled and the issuer does not`() throws {
        var situation = try Situation()
        situation.facts.request.wantsDecoupled = true
        #expect(situation.decision == .challenge)
    }

    @Test(arguments: ChallengeWish.allCases)
    func `is information only for the wishes of the operator's choice`(
        _ wish: ChallengeWish
    ) throws {
        var situation = try Situation()
        situation.facts.request.wishes = [wish]
        let isAlways = wish == .dataOnly
        #expect(situation.decision == (isAlways ? .informationOnly : .challenge))
        situation.settings.informationOnly = Set(ChallengeWish.allCases)
        let canBe = [.riskAnalysed, .dataOnly, .alreadyAuthenticated].contains(wish)
        #expect(situation.decision == (canBe ? .informationOnly : .challenge))
    }

    @Test func `promises nothing decoupled if the person must see a number`() throws {
        var situation = try Situation()
        situation.offerDecoupled()
        #expect(situation.decision == .decoupled)
        situation.facts.readiness = .reported(
            Readiness.Report(isReady: true, ways: [.userPIN], needsNumber: true)
        )
        #expect(situation.decision == .challenge)
        situation.facts.request.channel = .requestor
        #expect(situation.decision == .refused(.requestorInitiated))
    }

    @Test func `does not promise a challenge whose shop cannot be shown`() throws {
        var situation = try Situation()
        situation.facts.request.shop = nil
        #expect(situation.decision == .refused(.notShowable))
        situation.facts.request.wishes = [.mandated]
        #expect(situation.decision == .refused(.notShowable))
        situation.offerDecoupled()
        #expect(situation.decision == .refused(.notShowable))
        // Without the person, nothing is shown.
        situation.settings = IssuerSettings()
        situation.facts.request.wishes = []
        situation.settings.lowValue = Currency("EUR").map { LowValueRule($0) }
        #expect(situation.decision == .frictionless)
    }

    @Test func `SEC-98: begins no challenge beyond the limits`() throws {
        var situation = try Situation()
        let limits: [(LiveChallenges, RequestDecision?)] = [
            (LiveChallenges(ofCard: 2, ofACS: 9), nil),
            (LiveChallenges(ofCard: 3, ofACS: 9), .refused(.tooManyChallenges)),
            (LiveChallenges(ofCard: 2, ofACS: 10), .refused(.full)),
            (LiveChallenges(ofCard: 3, ofACS: 10), .refused(.tooManyChallenges)),
        ]
        situation.settings.maximumLiveChallenges = 10
        for (live, refusal) in limits {
            situation.facts.live = live
            #expect(situation.decision == refusal ?? .challenge)
            // Without the person, there is no challenge.
            var exempted = situation
            exempted.settings.lowValue = Currency("EUR").map { LowValueRule($0) }
            #expect(exempted.decision == .frictionless)
        }
    }

    @Test(arguments: [
        (LiveChallenges(ofCard: 1, ofACS: 4), RequestDecision.decoupled),
        (LiveChallenges(ofCard: 2, ofACS: 4), .refused(.tooManyChallenges)),
        (LiveChallenges(ofCard: 1, ofACS: 5), .refused(.full)),
    ])
    func `SEC-98: leaves places to shoppers if an authentication is decoupled`(
        _ live: LiveChallenges,
        _ decision: RequestDecision
    ) throws {
        var situation = try Situation()
        situation.settings.maximumLiveChallenges = 10
        situation.facts.live = live
        #expect(situation.decision == .challenge)
        situation.offerDecoupled()
        #expect(situation.decision == decision)
    }

    @Test func `SEC-77: does not rely on a way that the issuer does not accept`() throws {
        var situation = try Situation()
        situation.report([.consent])
        #expect(situation.decision == .refused(.notReady))
        situation.settings.allowsConsent = true
        #expect(situation.decision == .challenge)
        situation.facts.request.category = .nonPayment
        #expect(situation.decision == .refused(.notReady))
        situation.report([.biometric])
        #expect(situation.decision == .challenge)
    }

    @Test func `is a refusal for a person without a device, also if requests are limited`() throws {
        var situation = try Situation()
        situation.report([], retryAfterSeconds: 60)
        #expect(situation.decision == .refused(.notReady))
    }

    @Test func `is a refusal if the verifier is not ready for another reason`() throws {
        var situation = try Situation()
        situation.facts.readiness = .reported(.init(isReady: false, ways: [.userPIN]))
        #expect(situation.decision == .refused(.notReady))
        situation.facts.readiness = .reported(
            .init(isReady: true, ways: [.userPIN], isMuted: true)
        )
        #expect(situation.decision == .challenge)
    }

    @Test func `exempts payments only`() throws {
        var situation = try Situation()
        situation.settings.lowValue = Currency("EUR").map { LowValueRule($0) }
        #expect(situation.decision == .frictionless)
        situation.facts.request.category = .nonPayment
        #expect(situation.decision == .challenge)
        situation.facts.request.category = .payment
        situation.facts.exempted = ExemptedPayments(count: 5, total: try SampleWorld.euro(5))
        #expect(situation.decision == .challenge)
    }

    @Test func `names the card's number in its error message, and no value`() throws {
        let request = try SampleRequest(.twoThree, .app).message()
        let fault = try #require(
            RequestDecision.error(.transactionDataInvalid).fault(in: request)
        )
        #expect(RequestDecision.challenge.fault(in: request) == nil)
        let message = try #require(fault.errorMessage(from: .acs))
        let reader = MessageReader(for: .directory)
        let facts = try #require(TransactionFacts(request))
        let read = try reader.read(message.written(), as: [.erro], in: .transaction(facts))
        #expect(read["errorCode"] == "305")
        #expect(read["errorDetail"] == "acctNumber")
        #expect(read["errorMessageType"] == "AReq")
        #expect(read["dsTransID"] == request["dsTransID"])
    }
}
