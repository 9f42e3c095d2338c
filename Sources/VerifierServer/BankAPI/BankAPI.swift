import BankIntegration
package import Cryptography
package import HTTPServer
import StrictJSON
package import TransactionApproval
package import Verification

/// The API for the bank's programs.
///
/// The order of the checks is a promise: size and form, token, scope, enterprise, content, and only
/// then the verifier. All invalid tokens get the same response, and an enterprise that the token is
/// not valid for gets the response of a missing one.
package final class BankAPI: Sendable {
    let verifier: Verifier
    /// The address that devices call; nil if it is not configured, and then activations have no URI.
    let origin: ServerOrigin?
    let agreementKey: ServerKeyID
    /// Whether this verifier has the page that an activation of a web browser links to.
    let servesWebDevices: Bool
    /// The operations that need two tokens.
    let secondPerson: Set<BankRoute.Operation>
    private let metrics: Metrics

    package init(
        _ verifier: Verifier,
        at origin: ServerOrigin?,
        servesWebDevices: Bool = false,
        secondPerson: Set<VerifierServer.Configuration.BankOperation> = [],
        metrics: Metrics
    ) throws(CryptographyFailure) {
        self.verifier = verifier
        self.origin = origin
        self.servesWebDevices = servesWebDevices
        self.secondPerson = secondPerson
        self.metrics = metrics
        agreementKey = try ServerKeyID(of: verifier.agreementPublicKey)
    }

    func reportedResponse(to request: Request) async -> ReportedResponse {
        switch BankRoute.finding(for: request) {
        case .refused(let response): ReportedResponse(response, to: request, of: nil, by: nil)
        case .found(let match): await response(to: request, by: match)
        }
    }

    /// Responds to the operator, who has every right, and throws failures instead of hiding them.
    package func respond(toOperator request: Request) async throws(Verifier.Failure) -> Response {
        switch BankRoute.finding(for: request) {
        case .refused(let response): response.message
        case .found(let match):
            try await response(to: request, of: .operatorCommand, by: match).message
        }
    }

    private func response(
        to request: Request,
        by match: BankRoute.Match
    ) async -> ReportedResponse {
        var token: BankToken?
        var response: BankResponse
        do throws(Verifier.Failure) {
            token = try await verifier.token(shown: request.bearerToken)
            response = .refused(.own(.unauthorized))
            if let token {
                response = try await self.response(to: request, of: Caller(token), by: match)
            }
        } catch {
            metrics.count(error)
            // The change may have been made; the call can be repeated with its idempotency key.
            response = .refused(.catalogued(.serverUnavailable))
        }
        return ReportedResponse(response, to: request, of: token?.name, by: match.route)
    }

    private func response(
        to message: Request,
        of caller: Caller,
        by match: BankRoute.Match
    ) async throws(Verifier.Failure) -> BankResponse {
        guard !caller.scopes.isDisjoint(with: match.route.scopes) else {
            return .refused(.own(.scopeMissing))
        }
        let request = BankRequest(api: self, caller: caller, message: message, match: match)
        guard try await isThere(request) else { return .notFound(.enterprise) }
        do throws(Verifier.Failure) {
            return try await match.route.service(request)
        } catch .policy(let failure) {
            return .refused(BankProblem(failure))
        } catch .confirmation(let refusal) {
            return .refused(BankProblem(refusal))
        }
    }

    /// Returns whether the enterprise exists and the token is valid for it.
    private func isThere(_ request: BankRequest) async throws(Verifier.Failure) -> Bool {
        guard request.match.names[.enterprise] != nil else { return true }
        guard request.caller.reach.includes(request.enterprise) else { return false }
        if request.match.route.makesEnterprise { return true }
        return try await verifier.isEnterprise(request.enterprise)
    }
}

extension BankRoute {
    /// A route, and the parameters of the request.
    struct Match: Sendable {
        let route: BankRoute
        let names: [PathName: String]
        let query: RequestQuery
    }

    enum Finding {
        case found(Match)
        case refused(BankResponse)
    }

    fileprivate static func finding(for request: Request) -> Finding {
        guard request.body.count <= StrictJSON.Limits.message.byteCount else {
            return .refused(.refused(.own(.contentTooLarge)))
        }
        return found(for: request.method, request.target)
    }

    static func found(for method: String, _ target: String) -> Finding {
        let target = RequestTarget(target)
        let found = byPartCount[target.partCount, default: []]
            .compactMap { route in route.path.names(in: target).map { (route, $0) } }
        guard !found.isEmpty else { return .refused(.notFound(.path)) }
        guard let (route, names) = found.first(where: { $0.0.method.rawValue == method }) else {
            return .refused(.wrongMethod(allowed: found.map { $0.0.method }))
        }
        do throws(InvalidQuery) {
            let query = try RequestQuery(target.query, parameters: route.parameters)
            return .found(Match(route: route, names: names, query: query))
        } catch {
            return .refused(.refused(.query(error.violations)))
        }
    }
}
