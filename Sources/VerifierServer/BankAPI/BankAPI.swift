package import Cryptography
package import HTTPServer
import StrictJSON
package import TransactionApproval
package import Verifier

/// Answers the bank's programs.
///
/// The order is the promise: size and form; then the token, of which all that is not good gets one
/// and the same answer; then what its role includes; then the enterprise, which to others' tokens is
/// as if it were not there; then the content; and only then the verifier.
package struct BankAPI: Sendable {
    let verifier: Verifier
    /// Where devices find the verifier.
    let origin: ServerOrigin
    let agreementKey: ServerKeyID
    private let metrics: Metrics

    package init(
        _ verifier: Verifier,
        at origin: ServerOrigin,
        metrics: Metrics
    ) throws(CryptographyFailure) {
        self.verifier = verifier
        self.origin = origin
        self.metrics = metrics
        agreementKey = try ServerKeyID(of: verifier.agreementPublicKey)
    }

    func answered(_ request: Request) async -> Answered {
        switch BankRoute.found(for: request) {
        case .refused(let answer): return Answered(answer, by: nil)
        case .found(let found):
            return Answered(await answer(to: request, by: found), by: found.route)
        }
    }

    /// Answers somebody who has the store itself, as it would answer a program with every right, but
    /// for a failure, of which they are told what it is.
    package func answer(
        toOperator request: Request
    ) async throws(Verifier.Failure) -> Response {
        switch BankRoute.found(for: request) {
        case .refused(let answer): return Answered(answer, by: nil).response
        case .found(let found):
            let answer = try await answer(to: request, of: .operatorCommand, by: found)
            return Answered(answer, by: found.route).response
        }
    }

    private func answer(
        to request: Request,
        by found: BankRoute.Found
    ) async -> BankAnswer {
        do throws(Verifier.Failure) {
            guard let token = try await verifier.token(shown: request.bearerToken) else {
                return .refused(.own(.unauthorized))
            }
            return try await answer(to: request, of: BankAsker(token), by: found)
        } catch {
            metrics.count(error)
            // It may have been done or not; under its idempotency key it can be sent again.
            return .refused(.catalogued(.serverUnavailable))
        }
    }

    private func answer(
        to message: Request,
        of asker: BankAsker,
        by found: BankRoute.Found
    ) async throws(Verifier.Failure) -> BankAnswer {
        guard asker.scopes.contains(found.route.scope) else {
            return .refused(.own(.scopeMissing))
        }
        let request = BankRequest(
            api: self,
            asker: asker,
            message: message,
            names: found.names,
            query: found.query
        )
        guard try await isThere(request, found.route) else { return .notFound }
        do throws(Verifier.Failure) {
            return try await found.route.service(request)
        } catch .policy(let failure) {
            return .refused(BankProblem(failure))
        }
    }

    /// Whether there is the enterprise that is named, and the token is good for it.
    private func isThere(
        _ request: BankRequest,
        _ route: BankRoute
    ) async throws(Verifier.Failure) -> Bool {
        guard request.names[.enterprise] != nil else { return true }
        guard request.asker.reach.includes(request.enterprise) else { return false }
        if route.makesEnterprise { return true }
        return try await verifier.isEnterprise(request.enterprise)
    }
}

extension BankRoute {
    /// A route, and what stands in the target that led to it.
    struct Found {
        let route: BankRoute
        let names: [PathName: String]
        let query: Query
    }

    enum Finding {
        case found(Found)
        case refused(BankAnswer)
    }

    static func found(for request: Request) -> Finding {
        guard request.body.count <= StrictJSON.Limits.message.byteCount else {
            return .refused(.refused(.own(.contentTooLarge)))
        }
        let parts = request.target.split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        // The first part is what stands before the first slash.
        let path = Array(parts[0].split(separator: "/", omittingEmptySubsequences: false))
        let found = all.compactMap { route in
            path[0].isEmpty ? route.path.names(in: path.dropFirst()).map { (route, $0) } : nil
        }
        guard !found.isEmpty else { return .refused(.notFound) }
        let method = request.method
        guard let (route, names) = found.first(where: { $0.0.method.rawValue == method }) else {
            return .refused(.wrongMethod(allowed: found.map { $0.0.method }))
        }
        guard let query = Query(parts.dropFirst().first, names: route.queryNames) else {
            return .refused(.refused(.own(.invalidQuery)))
        }
        return .found(Found(route: route, names: names, query: query))
    }
}

extension Request {
    /// What stands behind `Bearer` (RFC 6750, section 2.1); nil where there is not exactly one.
    fileprivate var bearerToken: [UInt8]? {
        let values = values(of: "authorization")
        guard values.count == 1 else { return nil }
        let words = values[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return Array(words[1].utf8)
    }
}
