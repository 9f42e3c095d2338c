import Foundation
import ProgramTesting
import TestSupport
import Testing
import ThreeDSIssuer

@Suite(.needsReferenceCheckers, .timeLimit(.minutes(10)))
struct `The events of a running ACS` {
    private static let secret = "whsec_" + String(repeating: "QUJD", count: 8)

    private let receiver: TestServer
    private let premises: IssuerPremises
    private let description: String

    init() throws {
        receiver = try TestServer(.server, ["--relay"])
        let authority = try Certificates.shared.get().path(.authority)
        premises = try IssuerPremises(
            """

            "notifications": {
                "url": "\(receiver.url("/cards"))", "secrets": ["webhook-secret"],
                "authorities": "\(authority)"
            },
            """,
            files: ["webhook-secret": Self.secret + "\n"]
        )
        let document = try Fetched("http://127.0.0.1:\(premises.ports.issuer)/openapi.json")
        try premises.folder.write(document.body, to: "openapi.json")
        description = premises.folder.path("openapi.json")
    }

    private func purchase() throws -> Purchase {
        let purchase = try Purchase(in: premises)
        _ = try purchase.creq("show")
        return purchase
    }

    /// The judgement of a program that has its own implementation of Standard Webhooks.
    private func judgement(
        _ request: TestServer.Request,
        _ secret: String = secret
    ) throws -> String {
        try request.findings("webhook", "authentications", description, secret)
    }

    @Test func `are signed as Standard Webhooks defines, over TLS`() async throws {
        let purchase = try purchase()
        try premises.approve()
        let request = try await receiver.request()
        try receiver.respond(204)
        #expect(try judgement(request) == "good\n")
        #expect(try judgement(request, "whsec_AAAA") != "good\n")
        #expect(request["data", "status"] as? String == "Y")
        #expect(request["data", "method"] as? String == "userPIN")
        #expect(request["data", "lastFour"] as? String == "4651")
        #expect(request["data", "amount", "minorUnits"] as? Int == 4711)
        let result = try purchase.result()
        let value = try #require(result["authenticationValue"] as? String)
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(!body.contains(value) && !body.contains(IssuerPremises.card))
        let (exitCode, log) = try premises.stop()
        #expect(exitCode == 0)
        #expect(!log.contains { $0.contains("event ") && $0.contains("error") })
    }

    @Test func `SEC-86: report that the person did not make the purchase`() async throws {
        _ = try purchase()
        try premises.reject("--not-me")
        let request = try await receiver.request()
        try receiver.respond(204)
        #expect(try judgement(request) == "good\n")
        #expect(request["data", "notMe"] as? Bool == true)
        #expect(request["data", "reason"] as? String == "11")
    }

    @Test func `reach a receiver that refuses or closes, with the same id`() async throws {
        _ = try purchase()
        try premises.approve()
        var names: Set<String?> = []
        for status in [500, 302, 0, 204] {
            let request = try await receiver.request()
            names.insert(request.field("webhook-id"))
            #expect(try judgement(request) == "good\n")
            if status == 0 {
                // Not HTTP, and the end of the connection.
                try receiver.respond(with: Array("no\r\nConnection: close\r\n\r\n".utf8))
            } else {
                try receiver.respond(status)
            }
        }
        #expect(names.count == 1)
        try await listIsEmpty()
    }

    private func listIsEmpty() async throws {
        let programs = try IssuerPrograms(of: premises)
        // A response that came too late, because other tests need the processors, is not the last.
        let receiver = receiver
        let responses = Task {
            while true {
                _ = try await receiver.request()
                try receiver.respond(204)
            }
        }
        defer { responses.cancel() }
        let end = ContinuousClock.now + .seconds(180)
        while true {
            let list = try programs.send("GET", "/notifications")
            if list.body == #"{"notifications":[]}"# { return }
            try #require(ContinuousClock.now < end, "\(list.body)")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `survive the end of the ACS before and during a delivery`() async throws {
        let purchase = try purchase()
        try premises.approve()
        let first = try await receiver.request()
        // A crash before the acknowledgement is noted would repeat the result, too.
        _ = try premises.challenge(of: purchase) { $0.contains(#""state":"reported""#) }
        // The receiver has the event, and the ACS does not know it.
        premises.crash()
        try receiver.respond(204)
        try premises.start()
        let second = try await receiver.request()
        try receiver.respond(204)
        #expect(second.field("webhook-id") == first.field("webhook-id"))
        #expect(second.body == first.body)
        #expect(try judgement(second) == "good\n")
        try await listIsEmpty()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
    }
}
