import OneTimePassword
import Testing
import TransactionApproval
import Verifier
import VerifierWorld

private typealias Failure = EnterprisePolicy.Failure

private let minute = Duration.seconds(60)

@Suite struct `An enterprise's policy` {
    @Test func `that sets nothing is the standard`() throws {
        let policy = try EnterprisePolicy(document: "{}")
        #expect(policy == .standard)
        #expect(policy.authentication == .userPIN)
        #expect(policy.consentCeilings == [])
        #expect(policy.numberMatching == nil)
        #expect(policy.requiredFields.isEmpty)
        #expect(policy.transactionLifetime == minute * 2)
        #expect(policy.push == .standard)
        #expect(policy.lock == .standard)
        #expect(policy.pin == .standard)
        #expect(policy.lookAhead == 10)
        #expect(policy.resynchronisationReach == 100)
        #expect(policy.activationLifetime == minute * 60 * 24)
        #expect(policy.devicesPerAccount == 5)
        #expect(policy.linksAccounts)
        #expect(policy.returnAddresses == [])
    }

    @Test func `sets every member`() throws {
        let policy = try EnterprisePolicy(
            document: """
                {"authentication": ["userPIN", "consent", "biometric"],
                 "consentCeilings": [{"currency": "EUR", "minorUnits": 3000}],
                 "numberMatchingDigits": 6,
                 "requiredFields": [{"context": "action", "labels": ["Limit"]}],
                 "transactionSeconds": 600, "pendingTransactions": 2,
                 "requestsInTenMinutes": 4, "requestsInADay": 19,
                 "lock": {"failures": 3, "firstSeconds": 3600, "temporaryLocks": 1,
                          "failuresInWindow": 20, "windowSeconds": 5184000},
                 "pin": {"leastDigits": 6, "mostDigits": 8},
                 "lookAhead": 5, "resynchronisationReach": 50,
                 "activationSeconds": 600, "devicesPerAccount": 2, "linksAccounts": false,
                 "returnAddresses": ["https://bank.example"]}
                """
        )
        #expect(policy.authentication == .all)
        #expect(policy.consentCeilings == [try .of(3000)])
        #expect(policy.numberMatching == .six)
        #expect(policy.requiredFields.map(\.context) == [.action])
        #expect(policy.requiredFields.flatMap(\.labels) == [try DisplayText("Limit")])
        #expect(policy.transactionLifetime == minute * 10)
        #expect(policy.push == (try PushPolicy(pending: 2, inTenMinutes: 4, inADay: 19)))
        let lock = try LockPolicy(
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
        #expect(policy.returnAddresses.map(\.text) == ["https://bank.example"])
    }

    @Test(
        arguments: [
            (#"{"authentication": []}"#, Failure.authentication),
            (#"{"authentication": ["sms"]}"#, .authentication),
            (#"{"authentication": ["userPIN", "userPIN"]}"#, .authentication),
            (#"{"consentCeilings": [{"currency": "XXX", "minorUnits": 1}]}"#, .consentCeilings),
            (
                #"{"consentCeilings": [{"currency": "EUR", "minorUnits": 1},"#
                    + #"{"currency": "EUR", "minorUnits": 2}]}"#, .consentCeilings
            ),
            (#"{"numberMatchingDigits": 4}"#, .numberMatching),
            (#"{"requiredFields": [{"context": "gift", "labels": []}]}"#, .requiredFields),
            (
                #"{"requiredFields": [{"context": "login", "labels": [" A"]}]}"#,
                .requiredFields
            ),
            (#"{"transactionSeconds": 29}"#, .transactionLifetime),
            (#"{"transactionSeconds": 601}"#, .transactionLifetime),
            (#"{"pendingTransactions": 4}"#, .push(.pending)),
            (#"{"requestsInTenMinutes": 6}"#, .push(.inTenMinutes)),
            (#"{"requestsInADay": 21}"#, .push(.inADay)),
            (#"{"lock": {"failures": 6}}"#, .lock(.failuresBeforeLock)),
            (#"{"lock": {"failures": 0}}"#, .lock(.failuresBeforeLock)),
            (#"{"lock": {"firstSeconds": 1799}}"#, .lock(.firstLock)),
            (#"{"lock": {"firstSeconds": 9223372036854775807}}"#, .lock(.firstLock)),
            (#"{"lock": {"temporaryLocks": 3}}"#, .lock(.temporaryLocks)),
            (#"{"lock": {"failuresInWindow": 31}}"#, .lock(.failuresInWindow)),
            (#"{"lock": {"windowSeconds": 2591999}}"#, .lock(.window)),
            (#"{"pin": {"leastDigits": 4}}"#, .pin),
            (#"{"pin": {"leastDigits": 3, "allowsFourDigits": true}}"#, .pin),
            (#"{"pin": {"mostDigits": 13}}"#, .pin),
            (#"{"lookAhead": 101}"#, .lookAhead),
            (#"{"lookAhead": -1}"#, .lookAhead),
            (#"{"resynchronisationReach": 1001}"#, .resynchronisationReach),
            (#"{"activationSeconds": 59}"#, .activationLifetime),
            (#"{"activationSeconds": 2592001}"#, .activationLifetime),
            (#"{"devicesPerAccount": 0}"#, .devicesPerAccount),
            (#"{"devicesPerAccount": 21}"#, .devicesPerAccount),
            (#"{"returnAddresses": ["https://bank.example/"]}"#, .returnAddresses),
            (#"{"returnAddresses": ["javascript://x"]}"#, .returnAddresses),
        ] as [(String, EnterprisePolicy.Failure)]
    )
    func `that breaks a rule, or is laxer than the law, is refused by its name`(
        _ document: String,
        _ failure: EnterprisePolicy.Failure
    ) {
        #expect(throws: failure) { try EnterprisePolicy(document: document) }
    }

    @Test(arguments: ["", "[]", "{", #"{"lockout": 5}"#, #"{"lock": {"failure": 5}}"#])
    func `that is none, or has a member that none has, is refused`(_ document: String) {
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

    @Test func `whose return addresses fill more than an offer is refused`() {
        let label = String(repeating: "a", count: 60)
        let addresses = (0..<200).map { #""https://\#(label).\#(label).a\#($0)""# }
        let document = #"{"returnAddresses": [\#(addresses.joined(separator: ","))]}"#
        #expect(throws: Failure.returnAddresses) { try EnterprisePolicy(document: document) }
    }

    @Test func `SEC-06: that makes guessing likelier than the ceiling is refused`() throws {
        let fourDigits = #"{"pin": {"leastDigits": 4, "allowsFourDigits": true}}"#
        do throws(EnterprisePolicy.Failure) {
            _ = try EnterprisePolicy(document: fourDigits)
            Issue.record("accepted")
        } catch {
            guard case .guessing(let probability) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(probability.largest > 1e-4)
        }
        let allowed = try EnterprisePolicy(document: fourDigits, guessingCeiling: 1e-2)
        #expect(allowed.pin.digitCounts.lowerBound == 4)
        let standard = EnterprisePolicy.standard.guessProbability
        #expect(throws: Failure.guessing(standard)) {
            try EnterprisePolicy(document: "{}", guessingCeiling: standard.largest.nextDown)
        }
        _ = try EnterprisePolicy(document: "{}", guessingCeiling: standard.largest)
    }

    @Test(.onEveryStore) func `SEC-06: that is refused leaves the one before`() async throws {
        let bank = try await Bank()
        let before = try await bank.contents()
        await #expect(throws: Verifier.Failure.policy(.lookAhead)) {
            try await bank.verifier.setPolicy(
                #"{"lookAhead": 101}"#,
                of: Bank.enterprise,
                by: Bank.core
            )
        }
        #expect(try await bank.contents() == before)
    }

    @Test(.onEveryStore) func `that is new holds for the very next operation`() async throws {
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
