import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite struct `Policy checks of a transaction request` {
    private let policy: EnterprisePolicy

    init() throws {
        policy = try EnterprisePolicy(
            document: """
                {"authentication": ["userPIN", "consent"],
                 "consentCeilings": [{"currency": "EUR", "minorUnits": 3000},
                                     {"currency": "JPY", "minorUnits": 50}],
                 "requiredFields": [{"context": "action", "labels": ["From", "To"]}],
                 "returnAddresses": ["https://bank.example", "example.bank.app://back"]}
                """
        )
    }

    @Test(
        arguments: [
            ([(3000, "EUR")], true), ([(3001, "EUR")], false), ([(50, "JPY")], true),
            ([(51, "JPY")], false), ([(1, "USD")], false),
            ([(3000, "EUR"), (50, "JPY")], true), ([(3000, "EUR"), (51, "JPY")], false),
        ] as [([(UInt64, String)], Bool)]
    )
    func `SEC-65: consent is enough up to the ceiling of each currency`(
        _ amounts: [(UInt64, String)],
        _ isEnough: Bool
    ) throws {
        let payment = try Transaction.Content.payment(of: 1)
        let content = try Transaction.Content(
            context: .payment,
            title: payment.title,
            amounts: try amounts.map { try .of($0.0, $0.1) },
            payees: payment.payees
        )
        let types = policy.acceptedAuthentication(for: content, requested: nil, after: .zero)
        #expect(types == (isEnough ? [.userPIN, .consent] : .userPIN))
        let refusals = policy.refusals(
            of: content,
            from: .bank,
            returnURL: nil,
            requested: .consent,
            after: .zero
        )
        #expect(refusals == (isEnough ? [] : [.authentication(allowed: .userPIN)]))
    }

    @Test(
        arguments: [
            (.action, nil, [], false), (.action, [.userPIN, .consent], [], true),
            (.action, .consent, [(3000, "EUR")], true),
            (.action, .consent, [(3001, "EUR")], false),
            (.login, nil, [], false), (.login, [.userPIN, .consent], [], false),
        ] as [(Transaction.Context, AuthenticationTypes?, [(UInt64, String)], Bool)]
    )
    func `SEC-65: consent is never enough for a login, and for an action only by name`(
        _ context: Transaction.Context,
        _ requested: AuthenticationTypes?,
        _ amounts: [(UInt64, String)],
        _ isEnough: Bool
    ) throws {
        let content = try Transaction.Content(
            context: context,
            title: DisplayText("Limit"),
            amounts: try amounts.map { try .of($0.0, $0.1) }
        )
        let types = policy.acceptedAuthentication(for: content, requested: requested, after: .zero)
        #expect(types.contains(.consent) == isEnough)
    }

    @Test func `SEC-107: consent is not enough if earlier consents are unknown or too many`() throws
    {
        let content = try Transaction.Content.payment(of: 1)
        let tooMany = ConsentTotal(epoch: Epoch(0), count: 5, minorUnits: [:])
        for consents in [nil, tooMany] {
            let types = policy.acceptedAuthentication(
                for: content,
                requested: nil,
                after: consents
            )
            #expect(types == .userPIN)
            let refusals = policy.refusals(
                of: content,
                from: .bank,
                returnURL: nil,
                requested: .consent,
                after: consents
            )
            #expect(refusals == [.consentExhausted(allowed: .userPIN)])
        }
    }

    @Test func `only authentication types of the policy are accepted`() throws {
        let content = try Transaction.Content.payment(of: 1)
        let types = policy.acceptedAuthentication(
            for: content,
            requested: [.biometric, .userPIN],
            after: .zero
        )
        #expect(types == .userPIN)
        for requested in [.biometric, []] as [AuthenticationTypes] {
            let refusals = policy.refusals(
                of: content,
                from: .bank,
                returnURL: nil,
                requested: requested,
                after: .zero
            )
            #expect(refusals == [.authentication(allowed: [.userPIN, .consent])])
        }
    }

    @Test(arguments: [(["From", "To"], true), (["From"], false), (["to", "From"], false)])
    func `a required field must be present`(_ labels: [String], _ isEnough: Bool) throws {
        let content = try Transaction.Content(
            context: .action,
            title: DisplayText("Limit"),
            fields: try labels.map {
                try Transaction.DisplayField(label: DisplayText($0), value: DisplayText("1"))
            }
        )
        let refusals = policy.refusals(
            of: content,
            from: .bank,
            returnURL: nil,
            requested: nil,
            after: .zero
        )
        let missing = try DisplayText("To")
        #expect(refusals == (isEnough ? [] : [.requiredField(missing)]))
        let login = try Transaction.Content(context: .login, title: DisplayText("Log in"))
        #expect(
            policy.refusals(of: login, from: .bank, returnURL: nil, requested: nil, after: .zero)
                == []
        )
    }

    @Test(
        arguments: [
            ("https://bank.example/done?id=1", true), ("example.bank.app://back", true),
            ("https://bank.example.evil", false), ("https://evil.example", false),
            ("example.bank.app://other", false),
        ]
    )
    func `a return URL must be one of the enterprise's addresses`(_ url: String, _ isOurs: Bool)
        throws
    {
        let returnURL = try #require(ReturnURL(url))
        let content = try Transaction.Content.payment(of: 1)
        let refusals = policy.refusals(
            of: content,
            from: .bank,
            returnURL: returnURL,
            requested: nil,
            after: .zero
        )
        #expect(refusals == (isOurs ? [] : [.returnURL(returnURL)]))
    }
}
