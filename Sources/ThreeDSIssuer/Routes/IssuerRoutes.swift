import BankIntegration
package import Cryptography
package import HTTPServer
import Storage

/// The listener for the issuer's own systems, which show a token.
///
/// The order of the checks is a promise: size, path, method and query, then the token, and only
/// then the content.
package struct IssuerRoutes: Sendable {
    private let service: IssuerService
    private let tokenDigest: Digest

    package init(_ service: IssuerService, token: String) throws(CryptographyFailure) {
        self.service = service
        tokenDigest = try HashAlgorithm.sha256.digest(of: Array(token.utf8).span)
    }

    package func respond(to request: Request) async -> RoutedResponse {
        if request.target == Self.descriptionPath { return Self.description(request.method) }
        switch IssuerRoute.finding(for: request) {
        case .refused(let response): return RoutedResponse(response, by: "unknown")
        case .found(let match):
            // A card that was registered must not depend on the connection.
            return await untilItsEnd {
                RoutedResponse(await response(to: request, by: match), by: match.route.name)
            }
        }
    }

    private func response(
        to request: Request,
        by match: IssuerRoute.Match
    ) async -> IssuerResponse {
        do throws(StoreFailure) {
            guard try isAuthorized(request) else { return .refused(IssuerProblem(.unauthorized)) }
            let request = IssuerRequest(service: service, message: request, match: match)
            return try await match.route.service(request)
        } catch {
            service.observer.report(.storeFailed(error))
            return .refused(IssuerProblem(.serverUnavailable))
        }
    }

    /// Digests compare in constant time.
    private func isAuthorized(_ request: Request) throws(StoreFailure) -> Bool {
        guard let token = request.bearerToken else { return false }
        return try orStoreFailure(HashAlgorithm.sha256.digest(of: token.span)) == tokenDigest
    }
}

// MARK: Description

extension IssuerRoutes {
    static let descriptionPath = "/openapi.json"

    /// Tests compare the document (OpenAPI 3.1) with the table of routes.
    private static func description(_ method: String) -> RoutedResponse {
        let route = "GET \(descriptionPath)"
        guard method == "GET" else {
            return RoutedResponse(.wrongMethod(allowed: [.get]), by: route)
        }
        let type = Field("content-type", "application/json")
        return RoutedResponse(
            Response(status: 200, fields: [type], body: .bytes(PackageResources.openapi_json)),
            by: route,
            "done"
        )
    }
}
