import HTTPServer
import Testing

@testable import ThreeDSIssuer

@Suite struct `The issuer's API` {
    private static let path = "/acs/v1/authentication-values/check"

    private func response(
        _ authorization: String?,
        _ body: String = "{}",
        method: String = "POST",
        path: String = path
    ) async throws -> Response {
        let world = try await IssuerWorld()
        let routes = try IssuerRoutes(world.service, token: "token-of-the-issuer")
        let request = Request(
            method: method,
            target: path,
            fields: authorization.map { [Field("Authorization", $0)] } ?? [],
            body: Array(body.utf8)
        )
        return await routes.respond(to: request).response
    }

    @Test(arguments: [nil, "", "Bearer", "Bearer other", "Basic token-of-the-issuer"])
    func `requires the token`(_ authorization: String?) async throws {
        let response = try await response(authorization)
        #expect(response.status == 401)
        #expect(response.fields.contains(Field("www-authenticate", "Bearer")))
    }

    @Test(arguments: ["Bearer token-of-the-issuer", "bearer token-of-the-issuer"])
    func `reads no other content than its own`(_ authorization: String) async throws {
        for body in ["", "{}", "[]", #"{"value":"x"}"#] {
            #expect(try await response(authorization, body).status == 400)
        }
        let value = "AQEBAAAAAAAAAAAAAAAAAAAAAAA="
        let check = """
            {"value":"\(value)","dsTransID":"4317fdc3-ad24-5443-8000-000000000891",\
            "card":"card-1","amount":{"currency":"EUR","minorUnits":1}}
            """
        let unknown = try await response(authorization, check)
        #expect(unknown.status == 200)
        guard case .bytes(let body) = unknown.body else { return }
        #expect(String(decoding: body, as: UTF8.self) == #"{"verdict":"unknown"}"#)
    }

    @Test func `has one path, and one method`() async throws {
        #expect(try await response(nil, path: "/acs/v1/other").status == 404)
        let wrong = try await response(nil, method: "GET")
        #expect(wrong.status == 405)
        #expect(wrong.fields.contains(Field("allow", "POST")))
    }
}
