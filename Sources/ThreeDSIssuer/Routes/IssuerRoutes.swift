package import Cryptography
package import HTTPServer
import Storage
import StrictJSON
import ThreeDSProtocol
import Transactions

/// The listener for the issuer's own systems, which show a token.
package struct IssuerRoutes: Sendable {
    private let service: IssuerService
    private let tokenDigest: Digest

    package init(_ service: IssuerService, token: String) throws(CryptographyFailure) {
        self.service = service
        tokenDigest = try HashAlgorithm.sha256.digest(of: Array(token.utf8).span)
    }

    private static let checkRoute = "POST /acs/v1/authentication-values/check"

    package func respond(to request: Request) async -> RoutedResponse {
        guard request.path == "/acs/v1/authentication-values/check" else { return .unknownPath }
        guard request.method == "POST" else {
            return .wrongMethod(Self.checkRoute, allowed: "POST")
        }
        do throws(StoreFailure) {
            guard try isAuthorized(request) else { return problem("unauthorized", status: 401) }
            guard let check = ValueCheck(request.body) else {
                return problem("malformedRequest", status: 400)
            }
            let verdict = try await service.verdict(
                about: check.value,
                dsTransID: check.dsTransID,
                card: check.card,
                amount: check.amount
            )
            let body = Array(#"{"verdict":"\#(verdict.rawValue)"}"#.utf8)
            return RoutedResponse(.json(body), by: Self.checkRoute, verdict.rawValue)
        } catch {
            service.observer.report(.storeFailed(error))
            return problem("unavailable", status: 503)
        }
    }

    /// Digests compare in constant time.
    private func isAuthorized(_ request: Request) throws(StoreFailure) -> Bool {
        guard let value = request.value(of: "authorization"),
            value.prefix(Self.scheme.count).lowercased() == Self.scheme
        else { return false }
        let token = Array(value.dropFirst(Self.scheme.count).utf8)
        return try orStoreFailure(HashAlgorithm.sha256.digest(of: token.span)) == tokenDigest
    }

    /// With its space; letters of either case are the same scheme (RFC 9110, section 11.1).
    private static let scheme = "bearer "

    private func problem(_ code: String, status: Int) -> RoutedResponse {
        let response = Response.json(Array(#"{"code":"\#(code)"}"#.utf8), status: status)
        let challenge = status == 401 ? [Field("www-authenticate", "Bearer")] : []
        return RoutedResponse(
            Response(status: status, fields: response.fields + challenge, body: response.body),
            by: Self.checkRoute,
            code
        )
    }
}

/// The content of a check of an authentication value.
private struct ValueCheck {
    let value: AuthenticationValue
    let dsTransID: String
    let card: CardReference
    let amount: Amount

    /// Nil for other content.
    init?(_ body: [UInt8]) {
        // The caller gets one response for every malformed content: `try?`.
        guard let content = try? StrictJSON.decode(Content.self, from: body),
            let value = AuthenticationValue(content.value),
            let card = CardReference(content.card),
            let currency = Currency(content.amount.currency),
            let amount = Amount(minorUnits: content.amount.minorUnits, currency: currency)
        else { return nil }
        (self.value, dsTransID, self.card, self.amount) = (value, content.dsTransID, card, amount)
    }

    private struct Content: Decodable {
        let value: String
        let dsTransID: String
        let card: String
        let amount: Amount

        struct Amount: Decodable {
            let currency: String
            let minorUnits: UInt64
        }
    }
}
