import BankIntegration
import Cryptography
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

/// A push service of the tests, and one browser that has a subscription there.
@Suite(.timeLimit(.minutes(5))) struct `A push to a browser` {
    private let bank: Bank
    private let phone: Phone
    private let service: TestServer
    private let browser: Browser
    private let identity: VAPID
    private let metrics = Metrics()

    init() async throws {
        bank = try await Bank()
        service = try TestServer(.server, ["--relay"])
        browser = try Browser(at: service.url("/subscription/1"))
        identity = VAPID(try P256.PrivateKey(), contact: "https://bank.example/security")
        phone = try await bank.activate()
        try await set(.web(browser.subscription))
    }

    private func set(_ setting: PushSetting) async throws {
        _ = try await bank.verifier.setPush(setting, on: phone.id, attempt: .random())
    }

    private func webPush(to services: [String]? = nil) throws -> WebPush {
        var settings = HTTPClient.Configuration()
        settings.authorities = try Certificates.shared.get().path(.authority)
        settings.proxy = .none
        settings.maximumResponseByteCount = 64 << 10
        return WebPush(
            identity,
            to: try (services ?? [browser.subscription.host]).map { try #require(PushService($0)) },
            over: try HTTPClient(settings)
        )
    }

    private func delivering(
        by webPush: WebPush? = nil,
        _ body: () async throws -> Void
    ) async throws {
        var addresses = Addresses()
        addresses.webPush = if let webPush { webPush } else { try self.webPush() }
        let dispatcher = OutboxDispatcher(
            bank.verifier,
            to: addresses,
            metrics: metrics,
            log: Log(to: -1, metrics: metrics),
            lookingEvery: .milliseconds(20)
        )
        try await dispatcher.delivering(body)
    }

    private func request(
        returning status: Int,
        _ fields: String...
    ) async throws -> TestServer.Request {
        let request = try await service.request()
        let lines = ["HTTP/1.1 \(status) X", "Content-Length: 0"] + fields
        try service.respond(with: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        return request
    }

    private func untilDone() async throws {
        try await waitUntil {
            try await bank.verifier.deliveries(.waiting, limit: 100)
                .allSatisfy { $0.target != .push }
        }
    }

    private func setting() async throws -> PushSetting? {
        try await bank.verifier.pushSetting(of: phone.id)
    }

    /// Judged by http-ece and py-vapid.
    @Test(
        .enabled(
            if: ReferenceCheckers.areInstalled,
            "Packaging/reference-checkers installs what is needed"
        )
    )
    func `SEC-35: contains the three ids, readable for this browser only`() async throws {
        let payment = try await bank.pay()
        try await delivering {
            let sent = try await request(returning: 201)
            #expect(sent.method == "POST")
            #expect(sent.target == "/subscription/1")
            #expect(sent.field("urgency") == "high")
            let life = try #require(sent.field("ttl").flatMap { Int($0) })
            #expect((1...120).contains(life))
            #expect(
                try ReferenceCheckers.check(
                    "web_push.py",
                    given: Array(
                        JSONEncoder().encode(
                            SentPush(sent, to: browser, from: identity, about: payment)
                        )
                    )
                ) == "good\n"
            )
            try await untilDone()
        }
        #expect(metrics.text(with: []).contains(#"{target="push",outcome="delivered"} 1"#))
    }

    @Test(arguments: [404, 410])
    func `turns off the pushes of a subscription that has ended`(_ status: Int) async throws {
        _ = try await bank.pay()
        try await delivering {
            _ = try await request(returning: status)
            try await untilDone()
        }
        #expect(try await setting() == .off)
    }

    @Test(arguments: [400, 403, 413, 429, 500])
    func `stays in the outbox after another refusal`(_ status: Int) async throws {
        _ = try await bank.pay()
        try await delivering {
            _ = try await request(returning: status, "Retry-After: 60")
            try await waitUntil {
                metrics.text(with: []).contains(#"{target="push",outcome="refused"} 1"#)
            }
        }
        let waiting = try await bank.verifier.deliveries(.waiting, limit: 100)
        #expect(waiting.count { $0.target == .push } == 1)
        #expect(try await setting() == .web(browser.subscription))
    }

    /// A browser could name a host without a server in order to delay the pushes of others.
    @Test func `waits for the host that does not respond, and for no other host`() async throws {
        let port = try freePort()
        let push = try webPush(to: ["*.0.1:\(port)"])
        let payload = PushPayload(transactionID: try await bank.pay().id, account: Bank.account.key)
        for host in ["127.0.0.1", "127.1.0.1"] {
            let subscription = try Browser(at: "https://\(host):\(port)/1").subscription
            let limit = Duration.seconds(60)
            let first = await push.send(payload, to: subscription, livingFor: limit)
            #expect(first == .failed(.unreachable), "\(host)")
            let second = await push.send(payload, to: subscription, livingFor: limit)
            #expect(second.isPostponed, "\(host): \(second)")
        }
    }

    @Test(arguments: [
        (429, false), (500, true), (503, true), (400, false), (403, false), (404, false),
        (410, false), (413, false),
    ])
    func `waits for the Retry-After of a host, not for that of a subscription`(
        _ status: Int,
        _ isOfHost: Bool
    ) async throws {
        let (push, subscription) = (try webPush(), browser.subscription)
        let payload = PushPayload(transactionID: try await bank.pay().id, account: Bank.account.key)
        async let first = push.send(payload, to: subscription, livingFor: .seconds(60))
        _ = try await request(returning: status, "Retry-After: 60")
        #expect(await first != .sent)
        try #require((push.cooldowns.remaining(of: subscription.origin) != nil) == isOfHost)
        async let second = push.send(payload, to: subscription, livingFor: .seconds(60))
        if !isOfHost { _ = try await request(returning: 201) }
        #expect(await isOfHost ? second.isPostponed : second == .sent)
    }

    @Test(arguments: [(201, PushOutcome.sent), (400, .failed(.noResponse))])
    func `does not wait after a response that is too large`(
        _ status: Int,
        _ expected: PushOutcome
    ) async throws {
        let (push, subscription) = (try webPush(), browser.subscription)
        let payload = PushPayload(transactionID: try await bank.pay().id, account: Bank.account.key)
        async let outcome = push.send(payload, to: subscription, livingFor: .seconds(60))
        _ = try await service.request()
        let header = "HTTP/1.1 \(status) X\r\nContent-Length: 100000\r\n\r\n"
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        try service.respond(with: Array(header.utf8) + body)
        #expect(await outcome == expected)
        #expect(push.cooldowns.count == 0)
    }

    /// A browser could name any server, and the verifier would send requests there.
    @Test func `goes only to hosts that the configuration allows`() async throws {
        let allowed = try webPush(to: ["push.example", "*.notify.example"])
        for host in ["push.example", "a.notify.example", "a.b.notify.example"] {
            #expect(allowed.takes(try Browser(at: "https://\(host)/1").subscription), "\(host)")
        }
        for host in [
            "notify.example", "xnotify.example", "push.example.attacker.example",
            "push.example:8443", "127.0.0.1",
        ] {
            #expect(!allowed.takes(try Browser(at: "https://\(host)/1").subscription), "\(host)")
        }
        _ = try await bank.pay()
        try await delivering(by: allowed) { try await untilDone() }
        #expect(metrics.text(with: []).contains(#"{target="push",outcome="dropped"} 1"#))
    }
}

extension PushOutcome {
    fileprivate var isPostponed: Bool { if case .postponed = self { true } else { false } }
}

/// The browser's half of a subscription.
private struct Browser {
    let privateKey: String
    let secret: String
    let subscription: WebPushSubscription

    init(at endpoint: String) throws {
        let key = try P256.PrivateKey()
        let secret = try randomBytes(count: WebPushSubscription.secretByteCount)
        privateKey = try key.scalar().withBytes { TextEncoding.base64URL.encode($0) }
        self.secret = TextEncoding.base64URL.encode(secret.span)
        subscription = try WebPushSubscription(
            endpoint: endpoint,
            key: key.publicKey,
            secret: secret
        ).unwrapped()
    }
}

/// A push request with the keys of both ends.
private struct SentPush: Encodable {
    let fields: [[String]]
    let body: Data
    let privateKey, secret, origin, contact, verifierKey, transaction: String

    init(
        _ request: TestServer.Request,
        to browser: Browser,
        from identity: VAPID,
        about payment: Transaction
    ) {
        (fields, body) = (request.fields, request.body)
        (privateKey, secret) = (browser.privateKey, browser.secret)
        (origin, contact) = (browser.subscription.origin.text, "https://bank.example/security")
        verifierKey = TextEncoding.base64URL.encode(identity.publicKey.uncompressedPoint.span)
        transaction = payment.id.text
    }
}
