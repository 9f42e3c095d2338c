import BankIntegration
import Foundation
import HTTPClient
import Sealing
import ServerOperation
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

private let token = FCMToken("device-token:APA91b")

@Suite(.timeLimit(.minutes(5))) struct `A push` {
    private let bank: Bank
    private let phone: Phone
    private let endpoint: Endpoint
    private let account: TestAccount
    private let metrics = Metrics()

    init() async throws {
        bank = try await Bank()
        endpoint = try Endpoint()
        account = try TestAccount(at: endpoint.url("/token"))
        phone = try await bank.activate()
        try await set(.fcm(token.unwrapped()))
    }

    private func set(_ setting: PushSetting, on phone: Phone? = nil) async throws {
        let device = (phone ?? self.phone).id
        _ = try await bank.verifier.setPush(setting, on: device, attempt: .random())
    }

    private func setting() async throws -> PushSetting? {
        try await bank.verifier.pushSetting(of: phone.id)
    }

    private func addresses(pusher: Bool = false) throws -> Addresses {
        var addresses = Addresses()
        let client = try Endpoint.client()
        addresses.fcm = FCM(try account.read(), at: endpoint.url(""), over: client)
        if pusher {
            addresses.pushers[Bank.enterprise] = Webhook(
                endpoint.url("/push"),
                signingWith: [try WebhookSecret(Self.secret)],
                over: client
            )
        }
        return addresses
    }

    private static let secret = "whsec_" + String(repeating: "QUJD", count: 8)

    private func delivering(
        to addresses: Addresses? = nil,
        _ body: () async throws -> Void
    ) async throws {
        let dispatcher = OutboxDispatcher(
            bank.verifier,
            to: try addresses ?? self.addresses(),
            metrics: metrics,
            log: Log(to: -1, metrics: metrics),
            lookingEvery: .milliseconds(20)
        )
        try await dispatcher.delivering(body)
    }

    private func pushes() async throws -> [Delivery] {
        try await bank.verifier.deliveries(.waiting, limit: 100).filter { $0.target == .push }
    }

    private func untilDone() async throws {
        try await waitUntil { try await pushes().isEmpty }
    }

    private func giveToken(_ text: String = "right-1", for seconds: Int = 3600) async throws {
        let request = try await endpoint.request(
            returning: 200,
            #"{"access_token":"\#(text)","expires_in":\#(seconds),"token_type":"Bearer"}"#
        )
        #expect(request.target == "/token")
        #expect(
            try request.findings(
                "assertion",
                account.publicKey,
                account.tokenURL,
                "sender@bank.example",
                "key-1"
            ) == "good\n"
        )
    }

    @Test func `SEC-35: sends the three ids by FCM, with one access token for many messages`()
        async throws
    {
        let first = try await bank.pay()
        try await delivering {
            try await giveToken()
            let sent = try await endpoint.request(
                returning: 200,
                #"{"name":"projects/p/messages/1"}"#
            )
            #expect(
                try sent.findings(
                    "message",
                    "bank-app",
                    "right-1",
                    "device-token:APA91b",
                    first.id.text
                ) == "good\n"
            )
            try await untilDone()
            let second = try await bank.pay()
            let next = try await endpoint.request(returning: 200, "{}")
            #expect(next["message", "data", "sa_transaction_id"] as? String == second.id.text)
            try await untilDone()
        }
        #expect(metrics.text(with: []).contains(#"{target="push",outcome="delivered"} 2"#))
        #expect(metrics.text(with: []).contains(#"delivery_age_seconds_count{target="push"} 2"#))
    }

    @Test func `uses an access token that is not expired`() async throws {
        _ = try await bank.pay()
        try await delivering {
            try await giveToken("short", for: 60)
            #expect(
                try await endpoint.request(returning: 200).field("authorization") == "Bearer short"
            )
            try await untilDone()
            _ = try await bank.pay()
            try await giveToken("long")
            #expect(
                try await endpoint.request(returning: 200).field("authorization") == "Bearer long"
            )
            try await untilDone()
        }
    }

    @Test func `requests a new access token once if FCM refuses the first`() async throws {
        _ = try await bank.pay()
        try await delivering {
            try await giveToken("old")
            #expect(
                try await endpoint.request(returning: 401).field("authorization") == "Bearer old"
            )
            try await giveToken("new")
            #expect(
                try await endpoint.request(returning: 401).field("authorization") == "Bearer new"
            )
            try await waitUntil { try await pushes().first?.tries == 1 }
        }
        #expect(metrics.text(with: []).contains(#"{target="push",outcome="refused"} 1"#))
    }

    @Test func `shares one request for an access token`() async throws {
        let other = Bank.account("4712")
        _ = try await bank.verifier.addAccount(other, by: Bank.core)
        let others = try await bank.activate(other)
        try await set(.fcm(FCMToken("other").unwrapped()), on: others)
        _ = try await bank.pay()
        _ = try await bank.pay(from: other)
        try await delivering {
            try await giveToken()
            var tokens: Set<String> = []
            for _ in 0..<2 {
                let sent = try await endpoint.request(returning: 200)
                tokens.insert(try #require(sent["message", "token"] as? String))
            }
            #expect(tokens == ["other", "device-token:APA91b"])
            try await untilDone()
        }
    }

    @Test func `is disabled for a token that FCM no longer knows`() async throws {
        _ = try await bank.pay()
        try await delivering {
            try await giveToken()
            _ = try await endpoint.request(returning: 404, FCMErrors.unregistered)
            try await untilDone()
        }
        #expect(try await setting() == .off)
        let last = try #require(try await bank.events().last)
        #expect(last.kind == .notificationsChanged && last.detail == "off")
    }

    @Test func `uses the device's latest push setting`() async throws {
        _ = try await bank.pay()
        try await delivering {
            try await giveToken()
            _ = try await endpoint.request()
            try await set(.fcm(FCMToken("newer").unwrapped()))
            try endpoint.respond(404, FCMErrors.unregistered)
            try await waitUntil { try await pushes().first?.tries == 1 }
            bank.clock.advance(by: .seconds(10))
            let second = try await endpoint.request(returning: 200)
            #expect(second["message", "token"] as? String == "newer")
            try await untilDone()
        }
        #expect(try await setting() == .fcm(FCMToken("newer").unwrapped()))
    }

    @Test func `waits for the Retry-After of FCM, for all devices`() async throws {
        _ = try await bank.pay()
        try await delivering {
            try await giveToken()
            _ = try await endpoint.request(returning: 429, "", "Retry-After: 40")
            try await waitUntil { try await pushes().first?.tries == 1 }
            #expect(try await pushes().first?.due == bank.clock.now + .seconds(40))
            bank.clock.advance(by: .seconds(40))
            let first = try await pushes().first?.due
            try await waitUntil { try await pushes().first?.due != first }
            // Nothing was sent: that was not an attempt.
            #expect(try await pushes().first?.tries == 1)
        }
        #expect(!metrics.text(with: []).contains("postponed"))
    }

    @Test func `is not sent for a closed transaction`() async throws {
        let payment = try await bank.pay()
        bank.clock.advance(by: payment.deadline.elapsed(since: bank.clock.now))
        try await delivering { try await untilDone() }
        #expect(metrics.text(with: []).contains(#"{target="push",outcome="dropped"} 1"#))
    }

    @Test func `goes through the bank if the device has no FCM token`() async throws {
        try await set(.events)
        let second = try await bank.activate()
        try await set(.fcm(token.unwrapped()), on: second)
        let payment = try await bank.pay(referring: "order-7")
        let folder = try TemporaryFolder()
        let document = String(decoding: PackageResources.openapi_json, as: UTF8.self)
        let description = try folder.write(document, to: "openapi.json")
        try await delivering(to: try addresses(pusher: true)) {
            var targets: Set<String> = []
            for _ in 0..<3 {
                let request = try await endpoint.request()
                targets.insert(request.target)
                let right = #"{"access_token":"a","expires_in":3600}"#
                try endpoint.respond(200, request.target == "/token" ? right : "{}")
                if request.target == "/push" {
                    #expect(
                        try request.findings("webhook", "pushes", description, Self.secret)
                            == "good\n"
                    )
                    #expect(request["data", "device"] as? String == phone.id.description)
                    #expect(request["data", "reference"] as? String == "order-7")
                    let payload = try JSONSerialization.data(
                        withJSONObject: try #require(request["data", "payload"])
                    )
                    let account = Bank.account.key
                    #expect(
                        try PushPayload(reading: Array(payload))
                            == PushPayload(transactionID: payment.id, account: account)
                    )
                }
            }
            #expect(targets == ["/push", "/token", "/v1/projects/bank-app/messages:send"])
            try await untilDone()
        }
    }

    @Test func `goes through the bank if FCM is not configured`() async throws {
        _ = try await bank.pay()
        var addresses = try addresses(pusher: true)
        addresses.fcm = nil
        try await delivering(to: addresses) {
            let request = try await endpoint.request(returning: 200)
            #expect(request.target == "/push")
            #expect(request["data", "device"] as? String == phone.id.description)
            #expect(request["data", "reference"] == nil)
            try await untilDone()
        }
    }

    @Test func `SEC-33: comes again when the bank notifies again, and not a third time`()
        async throws
    {
        let payment = try await bank.pay()
        var addresses = try addresses(pusher: true)
        addresses.fcm = nil
        try await delivering(to: addresses) {
            var names: Set<String> = []
            for type in ["transaction.created", "transaction.notified", "transaction.notified"] {
                let request = try await endpoint.request(returning: 200)
                #expect(request["type"] as? String == type)
                let id = request["data", "payload", "sa_transaction_id"] as? String
                #expect(id == payment.id.text)
                // Receivers drop a message whose id they know.
                names.insert(try #require(request.field("webhook-id")))
                try await untilDone()
                bank.clock.advance(by: .seconds(30))
                _ = try await notify(payment)
            }
            #expect(names.count == 3)
            #expect(try await notify(payment) == .refused(.tooOften))
            #expect(try await pushes().isEmpty)
        }
        #expect(metrics.text(with: []).contains(#"{target="push",outcome="delivered"} 3"#))
    }

    private func notify(_ payment: Transaction) async throws -> NotificationResult {
        try await bank.verifier.notify(of: payment.id, of: Bank.account, by: Bank.core)
    }

    @Test func `is retried only for the device that failed`() async throws {
        let second = try await bank.activate()
        for phone in [phone, second] { try await set(.events, on: phone) }
        _ = try await bank.pay()
        var addresses = try addresses(pusher: true)
        addresses.fcm = nil
        try await delivering(to: addresses) {
            var names: [String: [String]] = [:]
            // One of the two is refused, once.
            for status in [503, 200] {
                let request = try await endpoint.request(returning: status)
                let device = try #require(request["data", "device"] as? String)
                names[device, default: []].append(try #require(request.field("webhook-id")))
                if status == 503 {
                    try await waitUntil { try await pushes().contains { $0.tries == 1 } }
                }
            }
            #expect(Set(names.keys) == [phone.id.description, second.id.description])
            let refused = try #require(try await pushes().first { $0.tries == 1 }?.device)
            bank.clock.advance(by: .seconds(2))
            let again = try await endpoint.request(returning: 200)
            #expect(again["data", "device"] as? String == refused.description)
            let name = try #require(again.field("webhook-id"))
            #expect(names[refused.description] == [name])
            #expect(Set(names.values.joined()).count == 2)
            try await untilDone()
        }
        #expect(metrics.text(with: []).contains(#"{target="push",outcome="delivered"} 2"#))
    }
}

/// A Google service account, with a key of openssl.
private struct TestAccount {
    let tokenURL: String
    let publicKey: String
    private let folder: TemporaryFolder
    private let members: [String: String]

    init(at tokenURL: String) throws {
        self.tokenURL = tokenURL
        folder = try TemporaryFolder()
        publicKey = folder.path + "/public.pem"
        let made = try FinishedProcess.run(
            "sh",
            [
                "-euc",
                """
                cd "$0"; openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem
                openssl pkey -in key.pem -pubout -out public.pem; cat key.pem
                """, folder.path,
            ]
        )
        members = [
            "type": "service_account", "project_id": "bank-app", "private_key_id": "key-1",
            "private_key": made.output, "client_email": "sender@bank.example",
            "client_id": "1", "token_uri": tokenURL, "universe_domain": "googleapis.com",
        ]
    }

    func read(without name: String? = nil, with other: [String: String] = [:]) throws
        -> ServiceAccount
    {
        let changed = members.filter { $0.key != name }.merging(other) { $1 }
        return try ServiceAccount(reading: Array(JSONEncoder().encode(changed)))
    }
}

@Suite struct `A service account file` {
    @Test(arguments: [
        "type", "project_id", "private_key_id", "private_key", "client_email", "token_uri",
    ])
    func `is rejected without a required member`(_ name: String) throws {
        let account = try TestAccount(at: "https://oauth2.example/token")
        _ = try account.read()
        #expect(throws: ServiceAccount.Failure.member(name)) { try account.read(without: name) }
        #expect(throws: ServiceAccount.Failure.member(name)) { try account.read(with: [name: ""]) }
    }

    @Test func `is rejected if it has another type`() throws {
        let account = try TestAccount(at: "https://oauth2.example/token")
        for (name, value) in [
            ("type", "authorized_user"), ("project_id", "a/../b"), ("private_key", "x"),
        ] {
            #expect(throws: ServiceAccount.Failure.member(name)) {
                try account.read(with: [name: value])
            }
        }
        #expect(throws: ServiceAccount.Failure.notJSON) { try ServiceAccount(reading: [0x7B]) }
    }
}
