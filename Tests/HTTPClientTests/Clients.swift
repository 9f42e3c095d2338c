import HTTPClient
import TestSupport

extension HTTPClient {
    /// A client that trusts the tests' CA and uses no proxy.
    static func forTests(
        _ change: (inout Configuration) throws -> Void = { _ in }
    ) throws -> HTTPClient {
        var configuration = Configuration()
        configuration.authorities = try Certificates.shared.get().path(.authority)
        configuration.proxy = .none
        // Long, so that a busy machine fails no test.
        configuration.connectionTimeout = .seconds(60)
        configuration.requestTimeout = .seconds(120)
        try change(&configuration)
        return try HTTPClient(configuration)
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension TestServer {
    /// A request for exactly this `response`, after which the server behaves differently.
    func play(_ response: String, then ending: String = "close") -> HTTPRequest {
        HTTPRequest(
            .post(Array(response.utf8)),
            url("/play"),
            headers: [HTTPHeaderLine("Then", ending)]
        )
    }
}

extension Certificates {
    func pin(_ name: Name) throws -> PublicKeyPin? { PublicKeyPin(sha256: try pinText(name)) }
}
