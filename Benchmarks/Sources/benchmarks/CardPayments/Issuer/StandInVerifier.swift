import HTTPServer
import PrivateFiles
import StrictJSON
import ThreeDSIssuer
import TransactionApproval
import Transactions

/// The calls of the bank's API that an ACS makes, over TLS, for accounts that can always approve.
///
/// No transaction of it ends.
final class StandInVerifier: Sendable {
    let certificate: Certificate
    let port: Int

    var origin: String { "https://localhost:\(port)" }

    /// Over the network, as an ACS has it.
    func client(of enterprise: EnterpriseID) throws -> VerifierClient {
        guard let origin = ServerOrigin(origin) else { throw BenchmarkFailure("no origin") }
        return try VerifierClient(
            of: enterprise,
            at: origin,
            showing: "token",
            trusting: certificate.file
        )
    }

    init() async throws {
        certificate = try Certificate()
        let count = LockedValue(0)
        let server = try Server(
            [Listener("127.0.0.1", port: 0, tls: certificate.settings)]
        ) { request in
            let path = request.target.prefix { $0 != "?" }
            if path.hasSuffix("/readiness") { return .json(Self.readiness) }
            if path.hasSuffix("/transactions/ended") {
                await Self.wait(asIn: request)
                return .json(#"{"ended":[],"unapprovable":[],"unknown":[]}"#)
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            let digits = String(number, radix: 16)
            let id = String(repeating: "0", count: 32 - digits.count) + digits
            return .json(#"{"id":"\#(id)"}"#, status: 201)
        }
        // It serves until this process ends.
        try await server.start()
        port = server.ports[0]
    }

    private static let readiness = #"{"ready":true,"muted":false,"authentication":["userPIN"]}"#

    /// As long as the caller wants, like a verifier to which nothing happens.
    private static func wait(asIn request: Request) async {
        let limits = StrictJSON.Limits(byteCount: 1 << 20, depth: 8, valueCount: 16_384)
        guard let content = try? JSONValue(reading: request.body, limits: limits),
            case .number(let number)? = content["wait"], let seconds = number.integer(Int.self)
        else { return }
        // Ends early only if the connection has ended.
        try? await Task.sleep(for: .seconds(seconds))
    }
}

extension Response {
    fileprivate static func json(_ text: String, status: Int = 200) -> Response {
        Response(
            status: status,
            fields: [Field("content-type", "application/json")],
            body: .bytes(Array(text.utf8))
        )
    }
}
