import Cryptography
import HTTPServer
import ProgramTesting
import ServerOperation
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

/// The responses to requests without a valid signature: every byte and the time.
@Suite struct `Requests without a valid signature, over a socket` {
    private let served: ServedBank
    private let phone: Phone
    private let other: P256.PrivateKey

    init() async throws {
        served = try await ServedBank(policy: #"{"minimumTokenDigits": 6}"#)
        phone = try await served.bank.activate()
        other = try P256.PrivateKey()
    }

    private var now: Timestamp { served.bank.clock.now }

    private func status(
        at moment: Timestamp? = nil,
        naming device: DeviceID? = nil,
        signingWith key: P256.PrivateKey? = nil
    ) throws -> Request {
        try Request(
            phone.request(
                StatusExchange.self,
                .init(),
                at: moment ?? now,
                naming: device,
                signingWith: key
            )
        )
    }

    /// The kinds of such requests, by name.
    private func kinds() async throws -> [(name: String, request: Request)] {
        let good = try status()
        let hand = try await SimulatedToken(in: served.bank)
        let (_, revoked) = try await served.bank.activate("4712")
        try await served.bank.revoke(revoked)
        let issued = try await served.bank.issue()
        let claim = try served.bank.phone().claim(issued.id, issued.code)
        let yesterday = now - .seconds(86_400)
        return try [
            ("replayed", good),
            ("without any signature", good.with(fields: [])),
            ("no signature", good.without("signature")),
            ("no digest", good.without("content-digest")),
            ("two signatures", good.with(fields: good.fields + [good.field("signature")])),
            ("malformed input", good.with("signature-input", "countersign=()")),
            ("malformed signature", good.with("signature", "countersign=:AA==:")),
            ("another body", good.with(body: Array("{ }".utf8))),
            ("another path", good.with(target: DeviceRoute.deletion.path)),
            ("another's digest", good.with("content-digest", "sha-256=:AAAA:")),
            ("too long", good.with(body: Array(repeating: 0x20, count: 60_000))),
            ("unknown device", status(naming: .random())),
            ("wrong key", status(signingWith: other)),
            ("token", status(naming: hand.id, signingWith: other)),
            ("revoked, wrong key", status(naming: revoked.id)),
            ("stale, wrong key", status(at: yesterday, signingWith: other)),
            ("stale, unknown", status(at: yesterday, naming: .random())),
            (
                "claim under another key",
                Request(
                    phone.request(ActivationClaimExchange.self, claim, at: now)
                )
            ),
        ]
    }

    @Test func `SEC-45, SEC-52: get the same bytes for every kind`() async throws {
        let router = try served.router()
        let server = try Server([Listener("127.0.0.1", port: 0)]) { await router.respond(to: $0) }
        try await server.start()
        let port = server.ports[0]
        func response(to request: Request) throws -> String {
            let socket = try LoopbackSocket(.connected, to: port)
            try socket.send(request.text)
            return socket.remainingText()
        }
        let kinds = try await kinds()
        // Valid once, and then a replay.
        #expect(try response(to: kinds[0].request).hasPrefix("HTTP/1.1 200 "))
        let before = try await served.bank.contents()
        let responses = try kinds.map { ($0.name, try response(to: $0.request)) }
        let expected = try #require(responses.first?.1.withoutItsOwn)
        #expect(expected.hasPrefix("HTTP/1.1 401 "))
        #expect(expected.contains(/\r\n\r\n\{"type":"urn:countersign:noAccountActivated",.+\}$/))
        for (name, response) in responses {
            #expect(response.withoutItsOwn == expected, "\(name)")
            #expect(response.utf8.count == responses.first?.1.utf8.count, "\(name)")
        }
        #expect(Set(responses.map(\.1)).count == responses.count, "each has a name of its own")
        #expect(try await served.bank.contents() == before)
        await server.stop(within: .zero)
    }

    // MARK: Time

    private static let minimumRounds = 300
    private static let maximumRounds = 3000

    /// The difference is less than half a signature check, so no check is left out.
    ///
    /// Each round has all kinds of requests, so that other load on the machine affects all of them.
    /// The rounds repeat until the medians are reliable.
    @Test func `SEC-52: take the same time for known and unknown devices`() async throws {
        let hand = try await SimulatedToken(in: served.bank)
        let known = try status(signingWith: other)
        let others = [
            try status(naming: .random(), signingWith: other),
            try status(naming: hand.id, signingWith: other),
        ]
        let check = try check(of: known)
        var differences = [[Double]](repeating: [], count: others.count)
        var checks: [Double] = []
        var isReliable = false
        while !isReliable, checks.count < Self.maximumRounds {
            for turn in checks.count..<checks.count + Self.minimumRounds {
                // A request after another one finds warm caches, so the order changes.
                let isKnownFirst = turn.isMultiple(of: 2)
                for (index, request) in others.enumerated() {
                    let pair = isKnownFirst ? [known, request] : [request, known]
                    let times = [await seconds(pair[0]), await seconds(pair[1])]
                    differences[index].append(
                        isKnownFirst ? times[1] - times[0] : times[0] - times[1]
                    )
                }
                checks.append(try ContinuousClock().measure(check).inSeconds)
            }
            let noise = differences.map(\.noiseOfMedian).max() ?? 0
            isReliable = noise < checks.median / 8
        }
        if !isReliable {
            print("Not tested: the time for unknown devices, because the machine is too busy.")
        }
        for times in differences {
            let certain = abs(times.median) - times.noiseOfMedian
            #expect(certain < checks.median / 2, "\(times.median) of \(checks.median) s")
        }
    }

    private func seconds(_ request: Request) async -> Double {
        let start = ContinuousClock.now
        let response = await served.api.respond(to: request)
        let end = ContinuousClock.now
        #expect(response.status == 401)
        return (end - start).inSeconds
    }

    /// The work that an unknown device must cost too.
    private func check(of request: Request) throws -> () throws -> Void {
        let origin = try ServedBank.origin.unwrapped().text
        let unverified = try UnverifiedRequest(
            method: request.method,
            targetURI: origin + request.target,
            fields: request.fields.map { HTTPField($0.name, $0.value) },
            body: request.body
        )
        let (point, now) = (phone.key.publicKey.uncompressedPoint, now)
        return {
            let key = try P256.PublicKey(uncompressedPoint: point.span)
            #expect(try unverified.verdict(for: key, at: now) == .forged)
        }
    }
}

extension Request {
    fileprivate func field(_ name: String) throws -> Field {
        try #require(fields.first { $0.name == name })
    }

    fileprivate func without(_ name: String) -> Request {
        with(fields: fields.filter { $0.name != name })
    }

    fileprivate func with(_ name: String, _ value: String) -> Request {
        with(fields: fields.map { $0.name == name ? Field(name, value) : $0 })
    }

    /// As it is sent.
    fileprivate var text: String {
        let length = Field("content-length", String(body.count))
        let all = [Field("host", "a"), Field("connection", "close")] + fields + [length]
        let head = all.map { "\($0.name): \($0.value)\r\n" }.joined()
        return "\(method) \(target) HTTP/1.1\r\n\(head)\r\n" + String(decoding: body, as: UTF8.self)
    }
}

extension String {
    /// Without the date and the request id.
    fileprivate var withoutItsOwn: String {
        replacing(/\r\n(date|request-id): [^\r]+/.ignoresCase()) { "\r\n\($0.1.lowercased())" }
    }
}

extension [Double] {
    fileprivate func quantile(_ part: Double) -> Double {
        isEmpty ? .infinity : sorted()[Int(Double(count - 1) * part)]
    }

    fileprivate var median: Double { quantile(0.5) }

    /// The deviation of the median, with high confidence.
    fileprivate var noiseOfMedian: Double {
        3 * 0.93 * (quantile(0.75) - quantile(0.25)) / Double(Swift.max(1, count)).squareRoot()
    }
}
