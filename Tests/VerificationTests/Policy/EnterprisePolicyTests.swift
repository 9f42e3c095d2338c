import OneTimePassword
import Storage
import StrictJSON
import Testing
import TransactionApproval
import Verification
import VerifierWorld

private typealias Failure = EnterprisePolicy.Failure

private let minute = Duration.seconds(60)

@Suite struct `Enterprise policies` {
    @Test func `an empty document is the default policy`() throws {
        let policy = try EnterprisePolicy(document: "{}")
        #expect(policy == .default)
        #expect(policy.authentication == .userPIN)
        #expect(policy.consent.ceilings == [])
        #expect(policy.consent.consecutive == 5)
        #expect(policy.numberMatching == nil)
        #expect(policy.requiredFields.isEmpty)
        #expect(policy.transactionLifetime == minute * 2)
        #expect(policy.push == .default)
        #expect(policy.lock == .default)
        #expect(policy.pin == .default)
        #expect(policy.lookAhead == 10)
        #expect(policy.resynchronisationReach == 100)
        #expect(policy.activationLifetime == minute * 60 * 24)
        #expect(policy.devicesPerAccount == 5)
        #expect(policy.linksAccounts)
        #expect(!policy.codeInActivationURI)
        #expect(policy.returnAddresses == [])
        #expect(!policy.allowsTestAccounts)
        #expect(policy.newDevice == .none)
    }

    @Test func `SEC-30: a request lasts 2 minutes by default, and 10 at most`() throws {
        #expect(EnterprisePolicy.default.transactionLifetime == minute * 2)
        let longest = try EnterprisePolicy(document: #"{"transactionSeconds": 600}"#)
        #expect(longest.transactionLifetime == minute * 10)
        #expect(throws: Failure.self) {
            try EnterprisePolicy(document: #"{"transactionSeconds": 601}"#)
        }
    }

    @Test func `a document can set every member`() throws {
        let policy = try EnterprisePolicy(
            document: """
                {"authentication": ["userPIN", "consent", "biometric"],
                 "consentCeilings": [{"currency": "EUR", "minorUnits": 3000},
                     {"currency": "JPY", "minorUnits": 50, "totalMinorUnits": 50}],
                 "consecutiveConsents": 2,
                 "numberMatchingDigits": 6,
                 "requiredFields": [{"context": "action", "labels": ["Limit"]}],
                 "transactionSeconds": 600, "pendingTransactions": 2,
                 "requestsInTenMinutes": 4, "requestsInADay": 19,
                 "lock": {"failures": 3, "firstSeconds": 3600, "temporaryLocks": 1,
                          "failuresInWindow": 20, "windowSeconds": 5184000},
                 "pin": {"minimumDigits": 6, "maximumDigits": 8},
                 "lookAhead": 5, "resynchronisationReach": 50,
                 "activationSeconds": 600, "devicesPerAccount": 2, "linksAccounts": false,
                 "codeInActivationURI": true,
                 "returnAddresses": ["https://bank.example"], "allowsTestAccounts": true,
                 "newDevice": {"waitingHours": 24,
                               "ceilings": [{"currency": "EUR", "minorUnits": 3000}]},
                 "webDevices": {"allowed": true, "requiresPRF": false,
                                "ceilings": [{"currency": "EUR", "minorUnits": 4000}]},
                 "cards": {"pendingTransactions": 1, "requestsInTenMinutes": 2,
                           "requestsInADay": 3}}
                """
        )
        #expect(policy.authentication == .all)
        let ceilings = [
            ConsentPolicy.Ceiling(try .of(3000), totalMinorUnits: 9000),
            ConsentPolicy.Ceiling(try .of(50, "JPY"), totalMinorUnits: 50),
        ]
        #expect(policy.consent == ConsentPolicy(ceilings: ceilings, consecutive: 2))
        #expect(policy.numberMatching == .six)
        #expect(policy.requiredFields.map(\.context) == [.action])
        #expect(policy.requiredFields.flatMap(\.labels) == [try DisplayText("Limit")])
        #expect(policy.transactionLifetime == minute * 10)
        #expect(policy.push == PushPolicy(pending: 2, inTenMinutes: 4, inADay: 19))
        #expect(policy.cards == PushPolicy(pending: 1, inTenMinutes: 2, inADay: 3))
        let lock = LockPolicy(
            failuresBeforeLock: 3,
            firstLock: minute * 60,
            temporaryLocks: 1,
            failuresInWindow: 20,
            window: .seconds(5_184_000)
        )
        #expect(policy.lock == lock)
        #expect(policy.pin.digitCounts == 6...8)
        #expect(policy.lookAhead == 5)
        #expect(policy.resynchronisationReach == 50)
        #expect(policy.activationLifetime == minute * 10)
        #expect(policy.devicesPerAccount == 2)
        #expect(!policy.linksAccounts)
        #expect(policy.codeInActivationURI)
        #expect(policy.returnAddresses.map(\.text) == ["https://bank.example"])
        #expect(policy.allowsTestAccounts)
        let newDevice = NewDevicePolicy(waiting: minute * 60 * 24, ceilings: [try .of(3000)])
        #expect(policy.newDevice == newDevice)
        let web = WebDevicePolicy(isAllowed: true, requiresPRF: false, ceilings: [try .of(4000)])
        #expect(policy.webDevices == web)
    }

    @Test(
        arguments: [
            (#"{"authentication": []}"#, "/authentication"),
            (#"{"authentication": ["sms"]}"#, "/authentication/0"),
            (#"{"authentication": ["userPIN", "userPIN"]}"#, "/authentication/1"),
            (
                #"{"consentCeilings": [{"currency": "XXX", "minorUnits": 1}]}"#,
                "/consentCeilings/0/currency"
            ),
            (
                #"{"consentCeilings": [{"currency": "EUR", "minorUnits": 1},"#
                    + #"{"currency": "EUR", "minorUnits": 2}]}"#, "/consentCeilings/1/currency"
            ),
            (
                #"{"consentCeilings": [{"currency": "EUR", "minorUnits": 18446744073709551615}]}"#,
                "/consentCeilings/0/minorUnits"
            ),
            (
                #"{"consentCeilings": [{"currency": "EUR", "minorUnits": 2, "totalMinorUnits": 1}]}"#,
                "/consentCeilings/0/totalMinorUnits"
            ),
            (#"{"consecutiveConsents": 0}"#, "/consecutiveConsents"),
            (#"{"consecutiveConsents": 6}"#, "/consecutiveConsents"),
            (#"{"numberMatchingDigits": 4}"#, "/numberMatchingDigits"),
            (
                #"{"requiredFields": [{"context": "gift", "labels": []}]}"#,
                "/requiredFields/0/context"
            ),
            (
                #"{"requiredFields": [{"context": "login", "labels": ["A", " A"]}]}"#,
                "/requiredFields/0/labels/1"
            ),
            (#"{"transactionSeconds": 29}"#, "/transactionSeconds"),
            (#"{"transactionSeconds": 601}"#, "/transactionSeconds"),
            (#"{"pendingTransactions": 4}"#, "/pendingTransactions"),
            (#"{"requestsInTenMinutes": 6}"#, "/requestsInTenMinutes"),
            (#"{"requestsInADay": 21}"#, "/requestsInADay"),
            (#"{"cards": {"pendingTransactions": 4}}"#, "/cards/pendingTransactions"),
            (#"{"cards": {"requestsInTenMinutes": 6}}"#, "/cards/requestsInTenMinutes"),
            (#"{"cards": {"requestsInADay": 21}}"#, "/cards/requestsInADay"),
            (#"{"cards": {"lookAhead": 1}}"#, "/cards/lookAhead"),
            (#"{"lock": {"failures": 6}}"#, "/lock/failures"),
            (#"{"lock": {"failures": 0}}"#, "/lock/failures"),
            (#"{"lock": {"firstSeconds": 1799}}"#, "/lock/firstSeconds"),
            (#"{"lock": {"firstSeconds": 9223372036854775807}}"#, "/lock/firstSeconds"),
            (#"{"lock": {"temporaryLocks": 3}}"#, "/lock/temporaryLocks"),
            (#"{"lock": {"failuresInWindow": 31}}"#, "/lock/failuresInWindow"),
            (#"{"lock": {"windowSeconds": 2591999}}"#, "/lock/windowSeconds"),
            (#"{"pin": {"minimumDigits": 4}}"#, "/pin/minimumDigits"),
            (#"{"pin": {"minimumDigits": 4, "allowsFiveDigits": true}}"#, "/pin/minimumDigits"),
            (#"{"pin": {"minimumDigits": 13}}"#, "/pin/minimumDigits"),
            (#"{"pin": {"maximumDigits": 13}}"#, "/pin/maximumDigits"),
            (#"{"pin": {"minimumDigits": 8, "maximumDigits": 7}}"#, "/pin/maximumDigits"),
            (#"{"lookAhead": 101}"#, "/lookAhead"),
            (#"{"lookAhead": -1}"#, "/lookAhead"),
            (#"{"resynchronisationReach": 1001}"#, "/resynchronisationReach"),
            (#"{"minimumTokenDigits": 5}"#, "/minimumTokenDigits"),
            (#"{"activationSeconds": 59}"#, "/activationSeconds"),
            (#"{"activationSeconds": 2592001}"#, "/activationSeconds"),
            (#"{"devicesPerAccount": 0}"#, "/devicesPerAccount"),
            (#"{"devicesPerAccount": 21}"#, "/devicesPerAccount"),
            (#"{"newDevice": {"waitingHours": -1}}"#, "/newDevice/waitingHours"),
            (#"{"newDevice": {"waitingHours": 721}}"#, "/newDevice/waitingHours"),
            (#"{"newDevice": {"hours": 1}}"#, "/newDevice/hours"),
            (
                #"{"newDevice": {"ceilings": [{"currency": "XXX", "minorUnits": 1}]}}"#,
                "/newDevice/ceilings/0/currency"
            ),
            (#"{"returnAddresses": ["https://bank.example/"]}"#, "/returnAddresses/0"),
            (
                #"{"returnAddresses": ["https://bank.example", "javascript://x"]}"#,
                "/returnAddresses/1"
            ),
        ]
    )
    func `a value outside the limits is refused with its member`(
        _ document: String,
        _ member: String
    ) {
        #expect(violations(of: document).map(\.pointer) == [member])
    }

    @Test func `a document with several violations is refused with all of them`() {
        let document = """
            {"lookAhead": 101, "pin": {"minimumDigits": 5}, "linksAccounts": null, "lockout": 5,
            "lock": {"failures": "3", "windowSeconds": 1}, "numberMatchingDigits": 4}
            """
        let found = violations(of: document).map {
            "\($0.pointer) \($0.rule.rawValue) \($0.sentence)"
        }
        #expect(
            Set(found) == [
                "/lockout unknown Is not a member of this object. Its members: \(Self.members).",
                "/lock/failures wrongType Must be an integer.",
                "/lock/windowSeconds outOfRange Must be from 2592000 to 31536000.",
                "/pin/minimumDigits outOfRange Must be from 6 to 12.",
                "/lookAhead outOfRange Must be from 0 to 100.",
                "/numberMatchingDigits notAllowed Must be one of: 0, 2, 6.",
                "/linksAccounts wrongType Must not be null. Omit the member instead.",
            ]
        )
    }

    private static let members = """
        authentication, consentCeilings, consecutiveConsents, numberMatchingDigits, \
        requiredFields, transactionSeconds, \
        pendingTransactions, requestsInTenMinutes, requestsInADay, lock, pin, lookAhead, \
        resynchronisationReach, minimumTokenDigits, activationSeconds, codeInActivationURI, \
        devicesPerAccount, linksAccounts, returnAddresses, allowsTestAccounts, newDevice, \
        webDevices, cards
        """

    /// None if the document is accepted.
    private func violations(of document: String) -> [Violation] {
        do throws(EnterprisePolicy.Failure) {
            _ = try EnterprisePolicy(document: document)
        } catch .violations(let violations) {
            return violations
        } catch {
            Issue.record("\(error)")
        }
        return []
    }

    @Test(arguments: ["", "{", #"{"lock": {}, "lock": {}}"#])
    func `a document that is not JSON is refused`(_ document: String) {
        do throws(EnterprisePolicy.Failure) {
            _ = try EnterprisePolicy(document: document)
            Issue.record("accepted")
        } catch {
            guard case .document = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `return addresses that do not fit into an offer are refused`() {
        let label = String(repeating: "a", count: 60)
        let addresses = (0..<200).map { #""https://\#(label).\#(label).a\#($0)""# }
        let document = #"{"returnAddresses": [\#(addresses.joined(separator: ","))]}"#
        #expect(violations(of: document).map(\.pointer) == ["/returnAddresses"])
    }

    @Test func `SEC-06, SEC-20: a policy that makes guessing likelier than the ceiling is refused`()
        throws
    {
        let fiveDigits = #"{"pin": {"minimumDigits": 5, "allowsFiveDigits": true}}"#
        do throws(EnterprisePolicy.Failure) {
            _ = try EnterprisePolicy(document: fiveDigits)
            Issue.record("accepted")
        } catch {
            guard case .guessing(let probability) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(probability.maximum > 1e-4)
        }
        let allowed = try EnterprisePolicy(document: fiveDigits, guessingCeiling: 1e-2)
        #expect(allowed.pin.digitCounts.lowerBound == 5)
        let strict = fiveDigits.replacing("}}", with: #"}, "lock": {"failures": 2}}"#)
        #expect(try EnterprisePolicy(document: strict).pin == allowed.pin)
        let standard = EnterprisePolicy.default.guessProbability
        #expect(throws: Failure.guessing(standard)) {
            try EnterprisePolicy(document: "{}", guessingCeiling: standard.maximum.nextDown)
        }
        _ = try EnterprisePolicy(document: "{}", guessingCeiling: standard.maximum)
    }

    @Test(.onEveryStore) func `SEC-06: a refused policy leaves the previous one in force`()
        async throws
    {
        let bank = try await Bank()
        let before = try await bank.contents()
        let tooFar = violations(of: #"{"lookAhead": 101}"#)
        await #expect(throws: Verifier.Failure.policy(.violations(tooFar))) {
            try await bank.verifier.setPolicy(
                #"{"lookAhead": 101}"#,
                of: Bank.enterprise,
                by: Bank.core
            )
        }
        #expect(try await bank.contents() == before)
    }

    @Test(.onEveryStore) func `setting a policy creates no enterprise`() async throws {
        let bank = try await Bank()
        let other = EnterpriseID(checked: "other")
        let verifier = bank.verifier
        #expect(
            try await verifier.setPolicy("{}", of: other, by: Bank.core) == .unknownEnterprise
        )
        #expect(try await verifier.addEnterprise(other, policy: "{}", by: Bank.core) == .done)
        #expect(try await bank.count(of: .enterpriseCreated) == 2)
        // A repeated call changes nothing; another policy is a conflict.
        let before = try await bank.contents()
        let strict = #"{"lock": {"failures": 2}}"#
        #expect(
            try await verifier.addEnterprise(other, policy: "{}", by: Bank.core) == .unchanged
        )
        #expect(
            try await verifier.addEnterprise(other, policy: strict, by: Bank.core)
                == .enterpriseExists
        )
        #expect(try await verifier.setPolicy("{}", of: other, by: Bank.core) == .unchanged)
        #expect(try await bank.contents() == before)
        #expect(try await verifier.setPolicy(strict, of: other, by: Bank.core) == .done)
        #expect(try await bank.count(of: .policyChanged) == 1)
    }

    @Test(.onEveryStore) func `a repeated creation compares policies, not their texts`()
        async throws
    {
        let bank = try await Bank()
        let other = EnterpriseID(checked: "other")
        let text = #"{"lock": {"failures": 3, "temporaryLocks": 1}, "lookAhead": 5}"#
        #expect(try await bank.verifier.addEnterprise(other, policy: text, by: Bank.core) == .done)
        let before = try await bank.contents()
        let repeated: [(String, Verifier.PolicyResult)] = [
            (#"{"lookAhead":5,"lock":{"temporaryLocks":1,"failures":3}}"#, .unchanged),
            (text.replacing("5}", with: #"5, "linksAccounts": true, "pin": {}}"#), .unchanged),
            (text.replacing("5}", with: "6}"), .enterpriseExists),
            (#"{"lock": {"failures": 3, "temporaryLocks": 1}}"#, .enterpriseExists),
        ]
        for (policy, result) in repeated {
            #expect(
                try await bank.verifier.addEnterprise(other, policy: policy, by: Bank.core)
                    == result,
                "\(policy)"
            )
        }
        #expect(try await bank.contents() == before)
        #expect(try await bank.verifier.policy(of: other) == text)
    }

    @Test(.onEveryStore) func `a new policy applies to the next operation`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for left in [4, 3] {
            #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: left))
        }
        let strict = #"{"lock": {"failures": 2}}"#
        try await bank.verifier.setPolicy(strict, of: Bank.enterprise, by: Bank.core)
        let end = bank.clock.now + minute * 30
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .locking(until: end))
        #expect(try await bank.count(of: .policyChanged) == 1)
    }
}
