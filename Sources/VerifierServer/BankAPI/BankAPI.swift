package import Cryptography
package import HTTPServer
import StrictJSON
package import TransactionApproval
package import Verification

/// Answers the bank's programs.
///
/// The order of the checks is a promise: size and form, token, scope, enterprise, content, and only
/// then the verifier. All invalid tokens get the same response, and an enterprise that the token is
/// not valid for gets the response of a missing one.
package struct BankAPI: Sendable {
    let verifier: Verifier
    /// The address that devices call; nil if it is not configured, and then activations have no URI.
    let origin: ServerOrigin?
    let agreementKey: ServerKeyID
    private let metrics: Metrics

    package init(
        _ verifier: Verifier,
        at origin: ServerOrigin?,
        metrics: Metrics
    ) throws(CryptographyFailure) {
        self.verifier = verifier
        self.origin = origin
        self.metrics = metrics
        agreementKey = try ServerKeyID(of: verifier.agreementPublicKey)
    }

    func answered(_ request: Request) async -> ReportedResponse {
        switch Self.finding(for: request) {
        case .refused(let answer): return ReportedResponse(answer, by: nil)
        case .found(let route, let names, let query):
            let match = RouteMatch(route: route, names: names, query: query)
            return ReportedResponse(await answer(to: request, by: match), by: route)
        }
    }

    /// Answers the operator, who has every right, and throws failures instead of hiding them.
    package func answer(
        toOperator request: Request
    ) async throws(Verifier.Failure) -> Response {
        switch Self.finding(for: request) {
        case .refused(let answer): return ReportedResponse(answer, by: nil).response
        case .found(let route, let names, let query):
            let match = RouteMatch(route: route, names: names, query: query)
            let answer = try await answer(to: request, of: .operatorCommand, by: match)
            return ReportedResponse(answer, by: route).response
        }
    }

    private static func finding(for request: Request) -> BankRoute.Finding {
        guard request.body.count <= StrictJSON.Limits.message.byteCount else {
            return .refused(.refused(.own(.contentTooLarge)))
        }
        return BankRoute.found(for: request.method, request.target)
    }

    /// A route, and the parameters of the request.
    private struct RouteMatch {
        let route: BankRoute
        let names: [PathName: String]
        let query: Query
    }

    private func answer(
        to request: Request,
        by match: RouteMatch
    ) async -> BankResponse {
        do throws(Verifier.Failure) {
            guard let token = try await verifier.token(shown: request.bearerToken) else {
                return .refused(.own(.unauthorized))
            }
            return try await answer(to: request, of: Caller(token), by: match)
        } catch {
            metrics.count(error)
            // The change may have been made; the call can be repeated with its idempotency key.
            return .refused(.catalogued(.serverUnavailable))
        }
    }

    private func answer(
        to message: Request,
        of caller: Caller,
        by match: RouteMatch
    ) async throws(Verifier.Failure) -> BankResponse {
        guard caller.scopes.contains(match.route.scope) else {
            return .refused(.own(.scopeMissing))
        }
        let request = BankRequest(
            api: self,
            caller: caller,
            message: message,
            names: match.names,
            query: match.query
        )
        guard try await isThere(request, match.route) else { return .notFound }
        do throws(Verifier.Failure) {
            return try await match.route.service(request)
        } catch .policy(let failure) {
            return .refused(BankProblem(failure))
        }
    }

    /// Returns whether the enterprise exists and the token is valid for it.
    private func isThere(
        _ request: BankRequest,
        _ route: BankRoute
    ) async throws(Verifier.Failure) -> Bool {
        guard request.names[.enterprise] != nil else { return true }
        guard request.caller.reach.includes(request.enterprise) else { return false }
        if route.makesEnterprise { return true }
        return try await verifier.isEnterprise(request.enterprise)
    }
}

extension BankRoute {
    enum Finding {
        case found(BankRoute, [PathName: String], Query)
        case refused(BankResponse)
    }

    static func found(for method: String, _ target: String) -> Finding {
        let parts = target.split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        // The first part is the text before the first slash.
        let path = Array(parts[0].split(separator: "/", omittingEmptySubsequences: false))
        let found = all.compactMap { route in
            path[0].isEmpty ? route.path.names(in: path.dropFirst()).map { (route, $0) } : nil
        }
        guard !found.isEmpty else { return .refused(.notFound) }
        guard let (route, names) = found.first(where: { $0.0.method.rawValue == method }) else {
            return .refused(.wrongMethod(allowed: found.map { $0.0.method }))
        }
        guard let query = Query(parts.dropFirst().first, names: route.queryNames) else {
            return .refused(.refused(.own(.invalidQuery)))
        }
        return .found(route, names, query)
    }
}

extension Request {
    /// The token after `Bearer` (RFC 6750, section 2.1); nil unless there is exactly one.
    fileprivate var bearerToken: [UInt8]? {
        let values = values(of: "authorization")
        guard values.count == 1 else { return nil }
        let words = values[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return Array(words[1].utf8)
    }
}
