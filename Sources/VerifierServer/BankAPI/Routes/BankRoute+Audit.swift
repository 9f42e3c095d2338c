import BankIntegration
import HTTPServer
import Storage
import TransactionApproval
import Verification

extension BankRoute {
    static let audit = [
        BankRoute(.get, root + "audit", .audit, query: [.after], BankRequest.exportWholeTrail),
        BankRoute(.get, ofEnterprise + "/audit", .audit, query: [.after], BankRequest.exportTrail),
    ]
}

extension BankRequest {
    /// Of all enterprises, so that the chain of hashes can be verified.
    fileprivate func exportWholeTrail() async throws(Verifier.Failure) -> BankResponse {
        guard caller.reach == .all else { return .notFound(.path) }
        return try await trail(of: nil)
    }

    fileprivate func exportTrail() async throws(Verifier.Failure) -> BankResponse {
        try await trail(of: enterprise)
    }

    private func trail(
        of enterprise: EnterpriseID?
    ) async throws(Verifier.Failure) -> BankResponse {
        let after: UInt64 = query.number("after", default: 0)
        let export = try await verifier.auditExport(of: enterprise, after: after)
        let stream: Response.Stream = { writer throws(Response.Cut) in
            var export = export
            while let lines = try await export.nextLines() {
                // Without lines to write, nothing else ends the task when the client has left.
                if Task.isCancelled { throw Response.Cut() }
                try await checkIsStillAllowed()
                if !lines.isEmpty { try await writer.write(lines) }
            }
        }
        return .stream(stream, type: "application/x-ndjson")
    }

    /// A revoked token gets no further lines of an export that has begun.
    private func checkIsStillAllowed() async throws(Response.Cut) {
        do throws(Verifier.Failure) {
            if try await isStillAllowed { return }
        } catch {
            throw Response.Cut()
        }
        throw Response.Cut()
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
