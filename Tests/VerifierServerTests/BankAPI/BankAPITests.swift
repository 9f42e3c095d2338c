import BankIntegration
import Foundation
import OneTimePassword
import ServerOperation
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

private let payment = """
    {"context":"payment","title":"Transfer","amounts":[{"currency":"EUR","minorUnits":4711}],
    "payees":[{"name":"Grocer","account":"DE89370400440532013000"}],"reference":"order-1"}
    """

@Suite(.onAnyStore, .described) struct `The bank API` {
    private let client: BankClient
    private var bank: Bank { client.bank }
    private let account = BankClient.account

    init() async throws {
        client = try await BankClient(
            policy: #"{"numberMatchingDigits": 6, "minimumTokenDigits": 6}"#
        )
    }

    @Test func `SEC-49: issues an activation, with its id and code for two channels`() async throws
    {
        let target = account + "/activations"
        let issued = try await client.call("POST", target, "{}", key: "one")
        #expect(issued.status == 201)
        let (id, code) = (try issued["id"].unwrapped(), try issued["code"].unwrapped())
        #expect(issued.value(of: "location") == "\(target)/\(id)")
        #expect(issued["state"] == "open")
        #expect(issued["issued"] == "2027-01-15T08:00:00.000Z")
        #expect(issued["deadline"] == "2027-01-16T08:00:00.000Z")
        #expect(!issued.isReplayed)
        let uri = try issued["uri"].unwrapped()
        #expect(uri.contains("activation=\(id)"))
        #expect(!uri.contains("code="))
        let again = try await client.call("POST", target, "{}", key: "one")
        #expect(again.body == issued.body)
        #expect(again.isReplayed)

        let shown = try await client.call("GET", "\(target)/\(id)", as: .auditor)
        #expect(shown["id"] == id)
        #expect(!shown.isReplayed)
        #expect(!shown.text.contains(code))
        for (form, type) in [("svg", "image/svg+xml"), ("txt", "text/plain; charset=utf-8")] {
            let picture = try await client.call("GET", "\(target)/\(id)/qr.\(form)")
            #expect(picture.value(of: "content-type") == type)
            #expect(try QRReader.text(of: picture.text, form) == uri)
        }
        let phone = try bank.phone()
        try await phone.activate(id, with: code, in: bank)
        let closed = try await client.call("GET", "\(target)/\(id)")
        #expect(closed["state"] == "used")
        #expect(closed["closed"] == "2027-01-15T08:00:00.000Z")
        #expect(try await client.call("GET", "\(target)/\(id)/qr.svg").status == 404)
        // The same call gets the same activation; its code is no longer needed.
        let late = try await client.call("POST", target, "{}", key: "one")
        #expect(late.status == 201)
        #expect(late["id"] == id)
        #expect(late["code"] == nil)
        #expect(late.isReplayed)
        let devices = try await client.call("GET", account + "/devices", as: .customerService)
        #expect(devices["devices", "0", "id"] == phone.id.description)
        #expect(devices["devices", "0", "activated"] == "2027-01-15T08:00:00.000Z")
        #expect(devices["devices", "0", "credentials", "0", "attemptsLeft"] == "5")
        // The subject of its events.
        let credential = try await bank.credential(of: phone).credential
        #expect(devices["devices", "0", "credentials", "0", "id"] == credential.id.description)
        #expect(try await client.call("GET", target)["activations", "0", "id"] == id)
    }

    @Test func `SEC-49: joins id and code only if the policy allows it`() async throws {
        let response = try await client.call(
            "PUT",
            BankClient.enterprise + "/policy",
            as: .administrator,
            #"{"codeInActivationURI": true}"#
        )
        #expect(response.status == 204)
        let issued = try await client.call("POST", account + "/activations", "{}", key: "one")
        let code = try issued["code"].unwrapped()
        #expect(issued["uri"]?.hasSuffix("&code=\(code)") == true)
    }

    @Test func `creates a transaction, waits for the decision, and shows the device`() async throws
    {
        let phone = try await bank.activate()
        let target = account + "/transactions"
        let created = try await client.call("POST", target, payment, key: "one")
        #expect(created.status == 201)
        #expect(created["state"] == "pending")
        let number = try created["number"].unwrapped()
        #expect(number.utf8.count == 6)
        #expect(created["created"] == "2027-01-15T08:00:00.000Z")
        #expect(created["deadline"] == "2027-01-15T08:02:00.000Z")
        let again = try await client.call("POST", target, payment, key: "one")
        #expect(again.body == created.body)
        #expect([created, again].map(\.isReplayed) == [false, true])
        let location = try created.value(of: "location").unwrapped()
        let shown = try await client.call("GET", location)
        #expect(shown["number"] == nil)
        #expect(shown["payees", "0", "account"] == "DE89370400440532013000")
        #expect(shown["amounts", "0", "minorUnits"] == "4711")

        async let waited = client.call("GET", location + "?wait=60")
        let transaction = try await bank.pendingTransaction(of: phone)
        let digits = try TypedNumber(number).unwrapped()
        bank.clock.advance(by: .milliseconds(1025))
        try await phone.decide(on: transaction, number: digits, in: bank)
        let end = try await waited
        #expect(end["state"] == "approved")
        #expect(end["approvedWith"] == "userPIN")
        #expect(end["device"] == phone.id.description)
        #expect(end["hasEvidence"] == "1")
        #expect(end["closed"] == "2027-01-15T08:00:01.025Z")
        let late = try await client.call("POST", target, payment, key: "one")
        #expect(late.status == 201)
        #expect(late["state"] == "approved")
        #expect(late["number"] == nil)
        #expect(late.isReplayed)
        let withdrawal = try await client.call("PUT", location + "/withdrawal")
        #expect(withdrawal.status == 409)
        #expect(withdrawal["finalState"] == "approved")
    }

    @Test func `withdraws a transaction permanently`() async throws {
        _ = try await bank.activate()
        let created = try await client.call("POST", account + "/transactions", payment, key: "one")
        let location = try created.value(of: "location").unwrapped()
        for _ in 1...2 {
            #expect(try await client.call("PUT", location + "/withdrawal").status == 204)
        }
        #expect(try await client.call("GET", location)["state"] == "withdrawn")
        let second = try await client.call("POST", account + "/transactions", payment, key: "two")
        let other = try second.value(of: "location").unwrapped()
        bank.clock.advance(by: .seconds(120))
        #expect(try await client.call("GET", other)["state"] == "expired")
        #expect(try await client.call("PUT", other + "/withdrawal").code == "transactionExpired")
        _ = try await bank.verifier.expire(atMost: 10)
        #expect(try await client.call("PUT", other + "/withdrawal").code == "transactionExpired")
        let unknown = account + "/transactions/unknown"
        #expect(try await client.call("GET", unknown).code == "notFound")
        #expect(try await client.call("PUT", unknown + "/withdrawal").status == 404)
    }

    @Test func `SEC-33: limits pending transactions, and needs an active device`()
        async throws
    {
        let target = account + "/transactions"
        for _ in 1...2 {
            // It created nothing, so it is checked again.
            let none = try await client.call("POST", target, payment, key: "none")
            #expect(none.code == "noActiveDevice")
            #expect(!none.isReplayed)
        }
        _ = try await bank.activate()
        for number in 1...5 {
            let created = try await client.call("POST", target, payment, key: "key-\(number)")
            #expect(created.status == 201)
            let location = try created.value(of: "location").unwrapped()
            if number == 3 {
                let fourth = try await client.call("POST", target, payment, key: "fourth")
                #expect(fourth.status == 429)
                #expect(fourth.code == "tooManyPending")
                // The first one expires after two minutes; the clock of this bank does not advance.
                #expect(fourth.value(of: "retry-after") == "121")
                #expect(fourth["retryAfterSeconds"] == "121")
            }
            if number > 2 { _ = try await client.call("PUT", location + "/withdrawal") }
        }
        let more = try await client.call("POST", target, payment, key: "sixth")
        #expect(more.status == 429)
        #expect(more.code == "rateLimited" || more.code == "tooManyPending")
    }

    @Test func `lists transactions in pages, including archived ones`()
        async throws
    {
        let phone = try await bank.activate()
        var ids: [String] = []
        for _ in 1...5 {
            let (transaction, number) = try await bank.payShowingNumber()
            try await phone.decide(on: transaction, number: number, in: bank)
            ids.insert(transaction.id.text, at: 0)
            bank.clock.advance(by: .seconds(4 * 24 * 60 * 60))
        }
        #expect(try await bank.verifier.applyRetention() > 0)
        var found: [String?] = []
        var query = "?limit=2"
        var pages = 0
        repeat {
            let page = try await client.call("GET", account + "/transactions" + query)
            found += ["0", "1"].map { page["transactions", $0, "id"] }.filter { $0 != nil }
            query = page["next"].map { "?limit=2&before=\($0)" } ?? ""
            pages += 1
        } while !query.isEmpty
        #expect(found == ids)
        #expect(pages == 3)
        let oldest = try await client.call("GET", account + "/transactions/" + ids[4])
        #expect(oldest["state"] == "approved")
    }

    @Test func `redeems a login once, and repeats the result under the same key`() async throws {
        let phone = try await bank.activate()
        guard case .accepted(let id?) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        let target = account + "/logins/\(id)/redemption"
        let content = #"{"dataDigest":"\#(base64URL(Phone.challenge))"}"#
        let other = #"{"dataDigest":"\#(base64URL([UInt8](repeating: 8, count: 32)))"}"#
        #expect(try await client.call("POST", target, other, key: "other").code == "dataMismatch")
        let first = try await client.call("POST", target, content, key: "one")
        #expect(first.status == 200)
        #expect(first["device"] == phone.id.description)
        #expect(first["granted"] == "2027-01-15T08:00:00.000Z")
        #expect(first["redeemed"] == "2027-01-15T08:00:00.000Z")
        let again = try await client.call("POST", target, content, key: "one")
        #expect(again.body == first.body)
        #expect([first, again].map(\.isReplayed) == [false, true])
        #expect(try await client.call("POST", target, content, key: "two").code == "loginRedeemed")
        let unknown = account + "/logins/unknown/redemption"
        #expect(try await client.call("POST", unknown, content, key: "three").status == 404)
        guard case .accepted(let late?) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        bank.clock.advance(by: LoginGrant.lifetime)
        let expired = account + "/logins/\(late)/redemption"
        #expect(try await client.call("POST", expired, content, key: "four").status == 410)
    }

    @Test func `verifies typed codes, once per call`() async throws {
        let phone = try await bank.activate()
        let target = account + "/devices/\(phone.id)/codes"
        let code = try await phone.typedCode(in: bank)
        let right = try await client.call("POST", target, #"{"code":"\#(code)"}"#, key: "one")
        #expect(right.status == 204)
        let again = try await client.call("POST", target, #"{"code":"\#(code)"}"#, key: "one")
        #expect(again.status == 204)
        #expect([right, again].map(\.isReplayed) == [false, true])
        for key in ["two", "two", "three"] {
            let used = try await client.call("POST", target, #"{"code":"\#(code)"}"#, key: key)
            #expect(used.status == 409)
            #expect(used["code"] == "codeUsed")
        }
        for isReplayed in [false, true] {
            let wrong = try await client.call("POST", target, #"{"code":"00000000"}"#, key: "wrong")
            #expect(wrong.status == 403)
            #expect(wrong["attemptsLeft"] == "4")
            #expect(wrong.isReplayed == isReplayed)
        }
        let data = Array("limit 5000".utf8)
        let signed = try await phone.typedCode(over: data, in: bank)
        let content = #"{"code":"\#(signed)","data":"\#(base64URL(data))"}"#
        #expect(try await client.call("POST", target, content, key: "three").status == 204)
        let stranger = account + "/devices/\(try DeviceID.random())/codes"
        let unknown = try await client.call("POST", stranger, content, key: "four")
        #expect(unknown.code == "authenticationTypeNotAllowed")
        let pair = [
            try await phone.typedCode(ahead: 50, in: bank),
            try await phone.typedCode(ahead: 51, in: bank),
        ]
        for isReplayed in [false, true] {
            let resynchronised = try await client.call(
                "POST",
                account + "/devices/\(phone.id)/resynchronisation",
                as: .customerService,
                #"{"first":"\#(pair[0])","second":"\#(pair[1])"}"#,
                key: "five"
            )
            #expect(resynchronised.status == 204)
            #expect(resynchronised.isReplayed == isReplayed)
        }
    }

    @Test func `SEC-10: has the end of a lock in problems and devices`() async throws {
        let phone = try await bank.activate()
        let device = account + "/devices/\(phone.id)"
        let wrong = #"{"code":"00000000"}"#
        let verify = { try await client.call("POST", device + "/codes", wrong, key: $0) }
        for number in 1...4 { #expect(try await verify("wrong-\(number)").status == 403) }
        for isReplayed in [false, true] {
            let locking = try await verify("locking")
            #expect(locking.status == 423)
            #expect(locking.code == "credentialLocked")
            #expect(locking["lock", "until"] == "2027-01-15T08:30:00.000Z")
            #expect(locking["lock", "never"] == nil)
            #expect(locking.isReplayed == isReplayed)
        }
        for _ in 1...2 {
            // It costs no attempt, so it has no stored result.
            let locked = try await verify("locked")
            #expect(locked["lock", "until"] == "2027-01-15T08:30:00.000Z")
            #expect(!locked.isReplayed)
        }
        let shown = try await client.call("GET", device)
        #expect(shown["credentials", "0", "lock", "until"] == "2027-01-15T08:30:00.000Z")

        bank.clock.advance(by: .seconds(24 * 60 * 60))
        try await phone.guessUntilBlocked(in: bank)
        let blocked = try await verify("blocked")
        #expect(blocked.status == 423)
        #expect(blocked["lock", "never"] == "1")
        #expect(blocked["lock", "until"] == nil)
        let last = try await client.call("GET", device)
        #expect(last["credentials", "0", "lock", "never"] == "1")
        #expect(last["credentials", "0", "lock", "until"] == nil)
    }

    @Test func `has the end of the mute of an account`() async throws {
        let phone = try await bank.activate()
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        let end = bank.clock.now + RequestHistory.muteDuration
        #expect(try await client.call("GET", account)["mutedUntil"] == end.rfc3339)
    }

    @Test func `SEC-10, SEC-58: unlocks, disables, enables and revokes`() async throws {
        let phone = try await bank.activate()
        let device = account + "/devices/\(phone.id)"
        try await phone.failUntilLocked(in: bank)
        let before = try await bank.credential(of: phone).credential
        let locked = try await client.call("GET", device)
        #expect(locked["credentials", "0", "lock", "until"] == "2027-01-15T08:30:00.000Z")
        #expect(locked["credentials", "0", "attemptsLeft"] == nil)
        let user = device + "/credentials/user"
        for _ in 1...2 {
            let unlocked = try await client.call("PUT", user + "/unlocking", as: .customerService)
            #expect(unlocked.status == 204)
        }
        #expect(try await bank.credential(of: phone).credential == before)
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        for (method, status) in [("DELETE", "disabled"), ("PUT", "active")] {
            let response = try await client.call(method, user + "/enabling", as: .customerService)
            #expect(response.status == 204)
            let shown = try await client.call("GET", device)
            #expect(shown["credentials", "0", "status"] == status)
        }
        for (method, status) in [("DELETE", "disabled"), ("PUT", "active")] {
            let path = device + "/enabling"
            for _ in 1...2 {
                let response = try await client.call(method, path, as: .customerService)
                #expect(response.status == 204)
            }
            let shown = try await client.call("GET", device)
            #expect(shown["credentials", "0", "status"] == status)
            #expect(shown["credentials", "1", "status"] == status)
            let readiness = try await client.call("GET", account + "/readiness").text
            #expect(readiness.contains(#""ready":\#(status == "active")"#))
        }
        let unknown = device + "/credentials/biometric/unlocking"
        #expect(try await client.call("PUT", unknown, as: .customerService).status == 404)
        for _ in 1...2 {
            #expect(try await client.call("DELETE", device, as: .customerService).status == 204)
        }
        #expect(try await client.call("GET", device)["status"] == "revoked")
        let theirs = BankClient.enterprise + "/accounts/main/4712/devices/\(phone.id)"
        #expect(try await client.call("DELETE", theirs, as: .customerService).status == 404)
    }

    @Test func `marks test accounts, which the policy must allow`() async throws {
        let test = BankClient.enterprise + "/accounts/main/sandbox"
        let mark = #"{"test":true}"#
        let refused = try await client.call("PUT", test, mark)
        #expect(refused.status == 409)
        #expect(refused["code"] == "testAccountForbidden")
        let policy = BankClient.enterprise + "/policy"
        let allowed = #"{"allowsTestAccounts": true}"#
        #expect(try await client.call("PUT", policy, as: .administrator, allowed).status == 204)
        #expect(try await client.call("PUT", test, mark).status == 201)
        for content in [mark, "{}", nil] {
            let repeated = try await client.call("PUT", test, content)
            #expect(repeated.status == 200)
            #expect(repeated.text.contains(#""test":true"#))
        }
        let other = try await client.call("PUT", test, #"{"test":false}"#)
        #expect(other.status == 409)
        #expect(other["code"] == "accountExists")
        let linked = try await client.call("PUT", account + "/links/main/sandbox")
        #expect(linked.status == 409)
        #expect(linked["code"] == "mixedTestAccounts")
        for content in [#"{"test":1}"#, #"{"test":null}"#, #"{"tests":true}"#, "[]"] {
            #expect(try await client.call("PUT", test, content).status == 422)
        }
        #expect(try await client.call("PUT", test, "{").status == 400)
    }

    @Test func `adds, links and replaces accounts`() async throws {
        let other = BankClient.enterprise + "/accounts/main/4712"
        #expect(try await client.call("GET", other).status == 404)
        #expect(try await client.call("PUT", other).status == 201)
        #expect(try await client.call("PUT", other).status == 200)
        for _ in 1...2 {
            #expect(try await client.call("PUT", account + "/links/main/4712").status == 204)
        }
        #expect(try await client.call("PUT", account + "/links/main/4799").status == 404)
        #expect(try await client.call("GET", account)["linked", "0", "id"] == "4712")
        #expect(try await client.call("DELETE", account + "/links/main/4799").status == 404)
        for _ in 1...2 {
            #expect(try await client.call("DELETE", account + "/links/main/4712").status == 204)
        }
        #expect(try await client.call("GET", account)["linked", "0", "id"] == nil)
        let successor = #"{"type":"main","id":"4713"}"#
        for _ in 1...2 {
            let replaced = try await client.call("PUT", account + "/replacement", successor)
            #expect(replaced.status == 204)
        }
        let third = #"{"type":"main","id":"4714"}"#
        let refused = try await client.call("PUT", account + "/replacement", third)
        #expect(refused.code == "accountReplaced")
        #expect(try await client.call("GET", account)["replacedBy", "id"] == "4713")
        let replaced = #"{"type":"main","id":"4711"}"#
        let former = BankClient.enterprise + "/accounts/main/4712/replacement"
        #expect(try await client.call("PUT", former, replaced).code == "accountReplaced")
        let late = try await client.call("POST", account + "/activations", "{}", key: "one")
        #expect(late.code == "accountReplaced")
        let request = try await client.call("POST", account + "/transactions", payment, key: "two")
        #expect(request.code == "accountReplaced")
    }

    @Test func `creates enterprises and sets their policies`() async throws {
        let all = try await bank.makeToken("all", for: .administrator, in: nil)
        let authorization = BankClient.token(all)
        let new = "/bank/v1/enterprises/new"
        let shownStatus = { try await client.call("GET", new, showing: authorization).status }
        #expect(try await shownStatus() == 404)
        for (policy, status) in [
            ("{}", 201), ("{}", 200), (#"{"lookAhead": 10}"#, 200), (#"{"lookAhead": 5}"#, 409),
        ] {
            let response = try await client.call("PUT", new, showing: authorization, policy)
            #expect(response.status == status)
        }
        #expect(try await shownStatus() == 200)
        let bad = try await client.call(
            "PUT",
            new + "/policy",
            showing: authorization,
            #"{"lookAhead": 5000}"#
        )
        #expect(bad.status == 422)
        #expect(bad.errors.map(\.pointer) == ["/lookAhead"])
        let risky = try await client.call(
            "PUT",
            new + "/policy",
            showing: authorization,
            #"{"minimumTokenDigits": 6, "lookAhead": 59}"#
        )
        #expect(risky.status == 422)
        #expect(
            risky.errors.map(\.detail) == [
                "Of 10,000 devices whose codes a stranger guesses until the first lock, about 3 "
                    + "open; the maximum is 1. Decrease lookAhead or lock.failures, or increase "
                    + "pin.minimumDigits or minimumTokenDigits."
            ]
        )
        let long = String(repeating: "a", count: 41)
        let label = try await client.call(
            "PUT",
            new + "/policy",
            showing: authorization,
            #"{"requiredFields": [{"context": "login", "labels": ["a", "\#(long)"]}]}"#
        )
        #expect(label.errors.map(\.pointer) == ["/requiredFields/0/labels/1"])
        // A transaction has at most 20 fields.
        for (count, status) in [(20, 204), (21, 422)] {
            let labels = (1...count).map { "\"\($0)\"" }.joined(separator: ",")
            let policy = #"{"requiredFields": [{"context": "login", "labels": [\#(labels)]}]}"#
            let many = try await client.call("PUT", new + "/policy", showing: authorization, policy)
            #expect(many.status == status, "\(many.text)")
            let pointers = status == 422 ? ["/requiredFields/0/labels"] : []
            #expect(many.errors.map(\.pointer) == pointers)
        }
        let set = try await client.call(
            "PUT",
            new + "/policy",
            showing: authorization,
            #"{"lookAhead": 5}"#
        )
        #expect(set.status == 204)
        let shown = try await client.call("GET", new + "/policy", showing: authorization)
        #expect(shown.text == #"{"lookAhead": 5}"#)
        let created = try await bank.events().filter { $0.kind == .enterpriseCreated }
        #expect(created.map(\.subject) == ["bank", "new"])
    }

    @Test func `lists and retries dead-letter deliveries`() async throws {
        _ = try await bank.activate()
        let path = BankClient.enterprise + "/outbox"
        let waiting = try await client.call("GET", path + "?state=waiting&limit=1")
        #expect(waiting["deliveries", "0", "state"] == "waiting")
        #expect(waiting["deliveries", "0", "due"] == "2027-01-15T08:00:00.000Z")
        let taken = try await bank.verifier.takeDeliveries(to: .webhook, limit: 1)
        let delivery = try #require(taken.first)
        for _ in 0..<Delivery.maximumTries {
            try await bank.verifier.note(.failed(jitter: 0), of: delivery)
        }
        let dead = try await client.call("GET", path)
        #expect(dead["deliveries", "0", "sequence"] == "\(delivery.sequence)")
        let retry = path + "/\(delivery.sequence)/webhook/retry"
        #expect(try await client.call("PUT", retry, as: .administrator).status == 204)
        let again = retry + "?state=dead"
        #expect(try await client.call("PUT", again, as: .administrator).status == 404)
        #expect(try await client.call("GET", path).text == #"{"deliveries":[]}"#)
    }

    @Test func `a delivery names the one that it waits for, which can be retried`() async throws {
        _ = try await bank.activate()
        _ = try await bank.activate()
        let path = BankClient.enterprise + "/outbox"
        let list = try await client.call("GET", path + "?state=waiting")
        let first = try #require(list["deliveries", "0", "sequence"])
        let behind = try #require(list["deliveries", "1", "sequence"])
        #expect(list["deliveries", "0", "waitsFor"] == nil)
        #expect(list["deliveries", "1", "waitsFor"] == first)
        #expect(list["deliveries", "1", "due"] == nil)
        for (sequence, status) in [(behind, 404), (first, 204)] {
            let retry = path + "/\(sequence)/webhook/retry?state=waiting"
            #expect(try await client.call("PUT", retry, as: .administrator).status == status)
        }
    }

    @Test func `SEC-50: exports the audit trail of an enterprise from any record on`()
        async throws
    {
        let all = try await bank.makeToken("all", for: .auditor, in: nil)
        let other = EnterpriseID(checked: "other")
        try await bank.verifier.addEnterprise(other, policy: "{}", by: .operatorCommand)
        _ = try await bank.activate()
        let whole = try await client.call(
            "GET",
            "/bank/v1/audit",
            showing: BankClient.token(all)
        )
        let lines = whole.text.split(separator: "\n")
        let records = try lines.map { try AuditRecord(exported: Array($0.utf8)) }
        #expect(records.map(\.event) == (try await bank.events()))
        var head = AuditHead.empty
        for record in records {
            #expect(try head.precedes(record))
            head = AuditHead(record)
        }
        let path = BankClient.enterprise + "/audit"
        let own = try await client.call("GET", path, as: .auditor).text.split(separator: "\n")
        let expected = lines.filter { $0.contains(#""enterprise":"bank""#) }
        #expect(own.suffix(expected.count) == expected[...])
        #expect(!own.contains { $0.contains("other") })
        let rest = try await client.call("GET", path + "?after=\(records.count - 1)", as: .auditor)
        #expect(rest.text == expected.suffix(1).map { $0 + "\n" }.joined())
    }

    @Test func `reports serverUnavailable if the store is unavailable`() async throws {
        await bank.database.close()
        let response = try await client.call("GET", account)
        #expect(response.status == 503)
        #expect(response.code == "serverUnavailable")
    }
}

private func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
}
