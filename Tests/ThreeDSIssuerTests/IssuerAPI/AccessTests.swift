import BankIntegration
import HTTPServer
import Testing

@testable import ThreeDSIssuer

@Suite struct `The issuer's API` {
    private static let check = "/acs/v1/authentication-values/check"
    private let client: IssuerClient

    init() async throws { client = try IssuerClient(try await IssuerWorld()) }

    @Test(arguments: [nil, "", "Bearer", "Bearer other", "Basic \(IssuerClient.token)"])
    func `requires the token on every route`(_ authorization: String?) async throws {
        for route in IssuerRoute.all {
            let path = route.path.text.replacing("{card}", with: "card-1")
                .replacing("{challenge}", with: "x")
            let reply = await client.call(
                route.method.rawValue,
                path,
                "{}",
                authorization: authorization
            )
            #expect(reply.status == 401 && reply["code"] as? String == "unauthorized")
            #expect(reply.field("www-authenticate") == "Bearer")
            #expect(reply.route == route.name)
        }
        #expect(await client.call("GET", "/openapi.json", authorization: nil).status == 200)
    }

    @Test(arguments: ["Bearer", "bearer"])
    func `checks a value for the token`(_ scheme: String) async throws {
        let check = """
            {"value":"AQEBAAAAAAAAAAAAAAAAAAAAAAA=",\
            "dsTransID":"4317fdc3-ad24-5443-8000-000000000891",\
            "card":"card-1","amount":{"currency":"EUR","minorUnits":1}}
            """
        let authorization = "\(scheme) \(IssuerClient.token)"
        let reply = await client.call("POST", Self.check, check, authorization: authorization)
        #expect(reply.status == 200 && reply.text == #"{"verdict":"unknown"}"#)
        #expect(reply.outcome == "unknown")
    }

    @Test func `names every rule that a check breaks`() async throws {
        let content = #"{"value":"x","dsTransID":"y","amount":{"currency":"XXX","minorUnits":-1}}"#
        let reply = await client.call("POST", Self.check, content)
        #expect(reply.status == 422 && reply["code"] as? String == "invalidContent")
        #expect(
            reply.violations == [
                "/value notAllowed", "/dsTransID notAllowed", "/card missing",
                "/amount/currency notAllowed", "/amount/minorUnits outOfRange",
            ]
        )
        #expect(reply.field("content-type") == "application/problem+json")
    }

    @Test(arguments: [
        "four", "4000 0012 3456 7899", " 4000001234567899", "400000123456", "40000012345678990000",
        String(repeating: "\u{664}", count: 16),
    ])
    func `refuses a number without the form of a card number`(_ number: String) async throws {
        let reply = await client.call("POST", Self.check, content(of: number))
        #expect(reply.status == 422 && reply.violations == ["/number notAllowed"])
        #expect(!reply.text.contains(number))
    }

    @Test(arguments: ["4000001234567", "4000001234567899000"])
    func `accepts the shortest and the longest card number`(_ number: String) async throws {
        let reply = await client.call("POST", Self.check, content(of: number))
        #expect(reply.status == 200 && reply.outcome == "unknown")
    }

    private func content(of number: String) -> String {
        """
        {"value":"AQEBAAAAAAAAAAAAAAAAAAAAAAA=",\
        "dsTransID":"4317fdc3-ad24-5443-8000-000000000891",\
        "number":"\(number)","amount":{"currency":"EUR","minorUnits":1}}
        """
    }

    @Test(arguments: [
        ("", 400, "malformedContent"), ("[", 400, "malformedContent"),
        (#"{"a":1,"a":2}"#, 400, "malformedContent"), ("[]", 422, "invalidContent"),
        ("{}", 422, "invalidContent"),
        (String(repeating: " ", count: 65_537), 413, "contentTooLarge"),
    ])
    func `reads no other content`(_ content: String, _ status: Int, _ code: String) async throws {
        let reply = await client.call("POST", Self.check, content)
        #expect(reply.status == status && reply["code"] as? String == code)
    }

    @Test func `reads content that is declared as JSON`() async throws {
        for type in ["application/x-www-form-urlencoded", "text/plain", "application/jsonp"] {
            let reply = await client.call(
                "POST",
                Self.check,
                nil,
                [Field("Content-Type", type)]
            )
            #expect(reply.status == 415 && reply["code"] as? String == "unsupportedContentType")
        }
    }

    @Test func `has other paths and methods nowhere`() async throws {
        for path in ["/", "/acs/v1", "/acs/v1/", "/acs/v1/other", "/acs/v1/cards/", "acs/v1/cards"]
        {
            let reply = await client.call("GET", path, authorization: nil)
            #expect(reply.status == 404 && reply["resource"] as? String == "path", "\(path)")
        }
        let wrong = await client.call("PATCH", "/acs/v1/cards", authorization: nil)
        #expect(wrong.status == 405 && wrong["code"] as? String == "methodNotAllowed")
        #expect(wrong.field("allow") == "GET, POST")
    }

    @Test func `has only the parameters of a path, each once`() async throws {
        let reply = await client.call("GET", "/acs/v1/cards?limit=0&limit=5&x=1&account=bank")
        #expect(reply.status == 400 && reply["code"] as? String == "invalidQuery")
        #expect(
            reply.violations == [
                "limit notAllowed", "limit repeated", "x unknown", "account notAllowed",
            ]
        )
        #expect(await client.call("GET", "/acs/v1/cards/card-1?limit=5").status == 400)
    }
}
