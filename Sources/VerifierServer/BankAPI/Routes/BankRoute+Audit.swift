import HTTPServer
import Storage
import TransactionApproval
import Verification

extension BankRoute {
    static let audit = [
        BankRoute(.get, root + "audit", .audit, query: ["after"], exportWholeTrail),
        BankRoute(.get, ofEnterprise + "/audit", .audit, query: ["after"], exportTrail),
    ]

    /// Of all enterprises, so that the chain of hashes can be verified.
    private static func exportWholeTrail(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        guard request.caller.reach == .all else { return .notFound }
        return try await request.trail(of: nil)
    }

    private static func exportTrail(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        try await request.trail(of: request.enterprise)
    }
}

extension BankRequest {
    fileprivate func trail(
        of enterprise: EnterpriseID?
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let after = query.number("after", in: 0...UInt64(Int64.max), default: 0) else {
            return .refused(.own(.invalidQuery))
        }
        let export = try await verifier.auditExport(of: enterprise, after: after)
        let stream: Response.Stream = { writer throws(Response.Cut) in
            var export = export
            while let lines = try await export.nextLines() {
                if !lines.isEmpty { try await writer.write(lines) }
            }
        }
        return .stream(stream, type: "application/x-ndjson")
    }
}

extension AuditExport {
    /// If the store fails, the response is cut off, so that the reader does not take it for
    /// complete.
    fileprivate mutating func nextLines() async throws(Response.Cut) -> [UInt8]? {
        do throws(StoreFailure) {
            return try await next()
        } catch {
            throw Response.Cut()
        }
    }
}
