import BankIntegration
import Foundation
import HTTPClient
import ServerOperation
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

private let secrets = [
    "whsec_" + String(repeating: "QUJD", count: 8), "whsec_" + String(repeating: "Zm9v", count: 20),
]

@Suite(.timeLimit(.minutes(5))) struct `A webhook` {
    private let bank: Bank
    private let endpoint: Endpoint
    private let metrics = Metrics()
    private let pipe: TestPipe
    private var addresses = Addresses()

    init() async throws {
        bank = try await Bank()
        endpoint = try Endpoint()
        pipe = try TestPipe()
        addresses.events[Bank.enterprise] = Webhook(
            endpoint.url("/told"),
            signingWith: try secrets.map { try WebhookSecret($0) },
            over: try Endpoint.client()
        )
    }

    private func dispatcher(
        to other: Addresses? = nil,
        lookingEvery interval: Duration = .milliseconds(20)
    ) -> OutboxDispatcher {
        OutboxDispatcher(
            bank.verifier,
            to: other ?? addresses,
            metrics: metrics,
            log: Log(to: pipe.writing.number, metrics: metrics),
            lookingEvery: interval
        )
    }

    /// Runs a dispatcher while `body` runs.
    private func delivering(
        to other: Addresses? = nil,
        _ body: () async throws -> Void
    ) async throws {
        try await dispatcher(to: other).delivering(body)
    }

    private func waiting() async throws -> [Delivery] {
        try await bank.verifier.deliveries(.waiting, limit: 100)
    }

    @Test func `is signed as Standard Webhooks defines, and matches the OpenAPI document`()
        async throws
    {
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        try await phone.decide(.reject(.notMe), on: payment, in: bank)
        let folder = try TemporaryFolder()
        let document = String(decoding: PackageResources.openapi_json, as: UTF8.self)
        let description = try folder.write(document, to: "openapi.json")
        var types: [String] = []
        try await delivering {
            while types.last != "transaction.denied-by-person" {
                let request = try await endpoint.request(returning: 204)
                let findings = try request.findings(
                    "webhook",
                    "events",
                    description,
                    secrets[0],
                    secrets[1]
                )
                #expect(findings == "good\n")
                #expect(
                    try request.findings("webhook", "events", description, "whsec_AAAA") != "good\n"
                )
                types.append(try #require(request["type"] as? String))
            }
        }
        let events = try await bank.events().filter { $0.kind.notifiesBank && $0.account != nil }
        #expect(types == events.map(\.kind.rawValue))
        #expect(types.contains("device.activated"))
        #expect(types.contains("transaction.rejected"))
    }

    @Test func `has exactly the documented event types`() throws {
        let document = try JSONSerialization.jsonObject(with: Data(PackageResources.openapi_json))
        let path = [
            "components", "schemas", "WebhookEvent", "properties", "type", "x-extensible-enum",
        ]
        let kinds = path.reduce(document as Any?) { ($0 as? [String: Any])?[$1] }
        let expected = Event.Kind.allCases.filter(\.notifiesBank).map(\.rawValue)
        #expect(Set(try #require(kinds as? [String])) == Set(expected))
    }

    @Test func `SEC-118: announces activations, links, replacements, tokens and policies`()
        async throws
    {
        let (linked, heir) = (try await bank.addAccount("4712"), Bank.account("4713"))
        _ = try await bank.issue()
        _ = try await bank.verifier.link(Bank.account, to: linked.key, by: Bank.core)
        _ = try await bank.verifier.replace(linked, by: heir.key, by: Bank.core)
        _ = try await bank.makeToken("all", for: .administrator, in: nil)
        _ = try await bank.verifier.setPolicy(
            Bank.waitingPolicy,
            of: Bank.enterprise,
            by: Bank.core
        )
        let folder = try TemporaryFolder()
        let document = String(decoding: PackageResources.openapi_json, as: UTF8.self)
        let description = try folder.write(document, to: "openapi.json")
        var events: Set<String> = []
        try await delivering {
            while events.count < 5 {
                let request = try await endpoint.request(returning: 204)
                let findings = try request.findings("webhook", "events", description, secrets[0])
                #expect(findings == "good\n")
                let words = [
                    request["type"], request["data", "account", "id"], request["data", "actor"],
                ]
                events.insert(words.map { $0 as? String ?? "-" }.joined(separator: " "))
            }
        }
        #expect(
            events == [
                "activation.issued 4711 token:core", "account.linked 4711 token:core",
                "account.replaced 4712 token:core", "token.created - operator",
                "enterprise.policy-changed - token:core",
            ]
        )
    }

    @Test func `names the account, the event and the time`() async throws {
        _ = try await bank.activate()
        try await delivering {
            let request = try await endpoint.request(returning: 200)
            #expect(request.target == "/told")
            #expect(request["data", "enterprise"] as? String == "bank")
            #expect(request["data", "account", "type"] as? String == "main")
            #expect(request["data", "account", "id"] as? String == "4711")
            #expect(request["timestamp"] as? String == "2027-01-15T08:00:00.000Z")
            let event = try #require(try await bank.events().first { $0.kind.notifiesBank })
            #expect(request["type"] as? String == event.kind.rawValue)
            #expect(request["data", "subject"] as? String == event.subject)
            #expect(request["data", "reference"] == nil)
        }
    }

    @Test func `names the bank's reference of a transaction`() async throws {
        let phone = try await bank.activate()
        let decided = try await bank.pay(referring: "order-1")
        try await phone.decide(.reject(.notMe), on: decided, in: bank)
        let withdrawn = try await bank.pay(referring: "order-2")
        let account = Bank.account
        _ = try await bank.verifier.withdraw(withdrawn.id, of: account, by: Bank.core)
        let plain = try await bank.pay()
        bank.clock.advance(by: .seconds(120))
        _ = try await bank.verifier.expire(atMost: 10)
        // The first event after the transactions moved to the archive.
        bank.clock.advance(by: .seconds(8 * 24 * 60 * 60))
        #expect(try await bank.verifier.applyRetention() > 0)
        try await phone.failUntilLocked(in: bank)

        var found: [String] = []
        try await delivering {
            while !found.contains(where: { $0.hasPrefix("credential.locked") }) {
                let request = try await endpoint.request(returning: 204)
                let type = try #require(request["type"] as? String)
                guard !type.hasPrefix("device") else { continue }
                let words = ["subject", "reference"].map { request["data", $0] as? String ?? "-" }
                found.append("\(type) \(words[0]) \(words[1])")
            }
        }
        #expect(
            found.filter { $0.hasPrefix("transaction") } == [
                "transaction.rejected \(decided.id) order-1",
                "transaction.denied-by-person \(decided.id) order-1",
                "transaction.withdrawn \(withdrawn.id) order-2",
                "transaction.expired \(plain.id) -",
            ]
        )
    }

    @Test func `is sent for a transaction that the restored store lacks`() async throws {
        let phone = try await bank.activate()
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        _ = try await bank.database.write { connection throws(StoreFailure) in
            try connection.run(Statement("DELETE FROM transactions"), [])
        }
        try await delivering {
            var type: String?
            while type != "transaction.rejected" {
                let request = try await endpoint.request(returning: 204)
                type = request["type"] as? String
                #expect(request["data", "reference"] == nil)
            }
        }
    }

    @Test func `has the end of a lock in the format of all times`() async throws {
        let phone = try await bank.activate()
        try await phone.failUntilLocked(in: bank)
        try await delivering {
            var request = try await endpoint.request(returning: 204)
            while request["type"] as? String != "credential.locked" {
                request = try await endpoint.request(returning: 204)
            }
            #expect(request["data", "detail"] as? String == "2027-01-15T08:30:00.000Z")
        }
    }

    @Test(arguments: [302, 404, 410, 500, 503])
    func `is retried with the same id until it succeeds`(
        _ status: Int
    ) async throws {
        _ = try await bank.activate()
        let elsewhere = "Location: " + endpoint.url("/elsewhere")
        try await delivering {
            var names: [String] = []
            for status in [status, status, 201] {
                let request = try await endpoint.request(returning: status, "x", elsewhere)
                #expect(request.target == "/told")
                names.append(try #require(request.field("webhook-id")))
                if names.count == 3 { break }
                try await waitUntil {
                    try await waiting().first?.due != bank.clock.now + Verifier.deliveryLease
                }
                bank.clock.advance(by: Delivery.maximumWait)
            }
            #expect(Set(names).count == 1)
        }
        let counts = metrics.text(with: [])
        let refused = #"attempts_total{target="webhook",outcome="refused"} 2"#
        #expect(counts.contains(refused), "\(counts)")
        #expect(pipe.read().contains(#""message":"delivery failed","sequence":"#))
    }

    @Test func `waits for the Retry-After of the bank`() async throws {
        _ = try await bank.activate()
        try await delivering {
            _ = try await endpoint.request(returning: 503, "", "Retry-After: 1000")
            let first = try #require(try await waiting().first)
            try await waitUntil { try await waiting().first?.tries != 0 }
            let kept = try #require(try await waiting().first)
            #expect(kept.sequence == first.sequence)
            #expect(kept.due == bank.clock.now + .seconds(1000))
        }
    }

    @Test func `waits as long as the last refusal took`() async throws {
        _ = try await bank.activate()
        try await delivering {
            _ = try await endpoint.request()
            let begin = ContinuousClock.now
            try await waitUntil { ContinuousClock.now - begin > .milliseconds(1500) }
            try endpoint.respond(503)
            try await waitUntil { try await waiting().first?.tries == 1 }
            bank.clock.advance(by: .seconds(10))
            // Nothing was sent meanwhile: that was not an attempt.
            let leased = bank.clock.now + Verifier.deliveryLease
            try await waitUntil { try #require(try await waiting().first?.due) > bank.clock.now }
            try await waitUntil { try await waiting().first?.due != leased }
            #expect(try await waiting().first?.tries == 1)
        }
    }

    @Test func `is sent although an earlier delivery cannot be read`() async throws {
        let other = Bank.account("4712")
        _ = try await bank.verifier.addAccount(other, by: Bank.core)
        _ = try await bank.activate()
        let poisoned = try #require(try await waiting().first)
        let poison = Statement("UPDATE outbox SET sequence = 1000000 WHERE sequence = $1")
        _ = try await bank.database.write { connection throws(StoreFailure) in
            try connection.run(poison, [.integer(Int64(poisoned.sequence))])
        }
        _ = try await bank.activate(other)
        try await delivering {
            var accounts: [String] = []
            while !accounts.contains("4712") {
                let request = try await endpoint.request(returning: 200)
                accounts.append(try #require(request["data", "account", "id"] as? String))
            }
        }
        try await waitUntil { try await waiting().first { $0.sequence == 1_000_000 }?.tries == 1 }
        #expect(metrics.text(with: []).contains(#"outcome="unavailable"} 1"#))
    }

    @Test func `is sent although another bank does not respond`() async throws {
        let silent = EnterpriseID(checked: "silent")
        try await add(10, to: silent)
        bank.clock.advance(by: .seconds(1))
        _ = try await bank.activate()
        var addresses = addresses
        let hole = try Endpoint()
        addresses.events[silent] = Webhook(
            hole.url("/"),
            signingWith: [try WebhookSecret(secrets[0])],
            over: try Endpoint.client(waiting: .seconds(5))
        )
        try await delivering(to: addresses) {
            let request = try await endpoint.request(returning: 200)
            #expect(request["data", "enterprise"] as? String == "bank")
        }
        // The attempts in progress failed, and then the cooldown began.
        let counts = metrics.text(with: [])
        #expect(counts.contains(#"outcome="noResponse"} 8"#), "\(counts)")
    }

    /// Two slow receivers have all the slots that they can get, and the third one is not delayed.
    @Test func `is sent although other banks respond slowly`() async throws {
        let slow = ["slow-1", "slow-2"].map { EnterpriseID(checked: $0) }
        var addresses = addresses
        var endpoints: [Endpoint] = []
        for enterprise in slow {
            try await add(10, to: enterprise)
            let endpoint = try Endpoint()
            addresses.events[enterprise] = Webhook(
                endpoint.url("/"),
                signingWith: [try WebhookSecret(secrets[0])],
                over: try Endpoint.client(waiting: .seconds(60))
            )
            endpoints.append(endpoint)
        }
        bank.clock.advance(by: .seconds(1))
        _ = try await bank.activate()
        let own = try await waiting().count { $0.concern.enterprise == Bank.enterprise }
        try await delivering(to: addresses) {
            for _ in 0..<own { _ = try await endpoint.request(returning: 200) }
            try await waitUntil { try await inProgress(slow[0]) == 8 }
            try await waitUntil { try await inProgress(slow[1]) == 4 }
            // They are slow, but they work.
            for endpoint in endpoints { _ = try await endpoint.request(returning: 200) }
            // Ends their connections.
            endpoints = []
        }
    }

    private func add(_ count: Int, to enterprise: EnterpriseID) async throws {
        try await bank.verifier.addEnterprise(enterprise, policy: "{}", by: Bank.core)
        for number in 0..<count {
            let key = AccountKey(type: Bank.account.key.type, id: AccountID(checked: "\(number)"))
            let account = AccountReference(enterprise: enterprise, key: key)
            _ = try await bank.verifier.addAccount(account, by: Bank.core)
            _ = try await bank.activate(account)
        }
    }

    private func inProgress(_ enterprise: EnterpriseID) async throws -> Int {
        let lease = bank.clock.now + Verifier.deliveryLease
        return try await waiting().count { $0.concern.enterprise == enterprise && $0.due == lease }
    }

    @Test func `is dropped if no webhook is configured`() async throws {
        let nobody = OutboxDispatcher(
            bank.verifier,
            to: Addresses(),
            metrics: metrics,
            log: Log(to: -1, metrics: metrics)
        )
        let phone = try await bank.activate()
        _ = try await bank.verifier.setPush(.events, on: phone.id, attempt: .random())
        _ = try await bank.pay()
        let count = try await waiting().count { $0.target == .webhook }
        try await nobody.delivering {
            try await waitUntil { try await waiting().isEmpty }
        }
        let dropped = "outcome=\"dropped\"} "
        let text = metrics.text(with: [])
        #expect(text.contains("target=\"webhook\",\(dropped)\(count)\n"))
        #expect(text.contains("target=\"push\",\(dropped)1\n"))
    }

    @Test func `is sent at once for events of this process`() async throws {
        try await dispatcher(lookingEvery: .seconds(3600)).delivering {
            _ = try await bank.activate()
            #expect(try await endpoint.request(returning: 200)["type"] != nil)
        }
    }

    @Test func `is completed when the dispatcher stops`() async throws {
        _ = try await bank.activate()
        let dispatcher = dispatcher()
        let running = Task { await dispatcher.run() }
        let first = try #require(try await waiting().first)
        _ = try await endpoint.request()
        running.cancel()
        try endpoint.respond(200)
        await running.value
        #expect(try await !waiting().contains { $0.sequence == first.sequence })
    }

    @Test func `SEC-69: does not appear in the log, and neither does its secret`() async throws {
        _ = try await bank.activate()
        try await delivering {
            _ = try await endpoint.request(returning: 500)
            try await waitUntil { try await waiting().first?.tries != 0 }
        }
        let log = pipe.read().withoutRandomValues
        #expect(log.contains(#""target":"webhook","outcome":"refused.500","tries":1"#))
        for secret in ["4711", "whsec", "QUJD", "/told"] { #expect(!log.contains(secret)) }
    }
}

@Suite struct `A webhook secret` {
    @Test(arguments: [
        "", "whsec_", "whsec", "secret", "whsec_QUJD",
        "whsek_" + String(repeating: "QUJD", count: 8),
        "whsec_" + String(repeating: "QUJD", count: 22),
        " whsec_" + String(repeating: "QUJD", count: 8),
        "whsec_" + String(repeating: "QUJD", count: 8) + "\n\n",
        "whsec_" + String(repeating: "QU-D", count: 8),
    ])
    func `has one valid form`(_ text: String) {
        #expect(throws: WebhookSecret.Failure.malformed) { try WebhookSecret(text) }
    }

    @Test func `SEC-69: is redacted in descriptions`() throws {
        let secret = try WebhookSecret(secrets[0] + "\n")
        #expect("\(secret)" == "<redacted>")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }
}
