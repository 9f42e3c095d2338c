import CommandLineTool
import HTTPClient
import TransactionApproval

extension Diagnostics {
    /// Whether a verifier answers, and has its store.
    func serverFindings() async throws(CommandFailure) -> [Finding] {
        // Where nobody is to be served, nobody has to answer.
        guard let address = readiness ?? description else { return [] }
        do throws(HTTPFailure) {
            let response = try await client().send(HTTPRequest(.get, address))
            guard response.status != 200 else { return [] }
            let said = String(decoding: response.body.prefix(80), as: UTF8.self)
            let reason = visible(String(said.prefix { $0 != "\n" }))
            return [
                Finding(
                    .server,
                    "what answers at \(address) is not ready (\(response.status) \(reason))",
                    "look at what countersignd run says"
                )
            ]
        } catch {
            return [finding(error, at: address)]
        }
    }

    private func finding(_ failure: HTTPFailure, at address: String) -> Finding {
        switch failure {
        case .serverUntrusted:
            Finding(
                .server,
                "what answers at \(address) has no certificate that this machine trusts",
                "--authorities names a file of who vouches for it"
            )
        case .unusableCertificateFile:
            Finding(
                .server,
                "the file of --authorities is not there, or holds no certificate",
                "name another"
            )
        default:
            Finding(
                .server,
                "no verifier answers at \(address)",
                "begin it: systemctl start countersignd, or countersignd run"
            )
        }
    }

    /// Where it says whether it is ready, if it can be asked there without a certificate.
    private var readiness: String? {
        guard
            let operation = configuration.operation, operation.tls == nil,
            let address = operation.addresses.first, address.port > 0
        else { return nil }
        switch address.host {
        case "127.0.0.1", "0.0.0.0": return "http://127.0.0.1:\(address.port)/health/ready"
        case "::1", "::": return "http://[::1]:\(address.port)/health/ready"
        default: return nil
        }
    }

    /// What it serves to everybody, as devices reach it.
    private var description: String? {
        configuration.server.map { "\($0.origin)/openapi.json" }
    }

    private func client() throws(HTTPFailure) -> HTTPClient {
        var settings = HTTPClient.Configuration()
        settings.authorities = authorities?.text
        settings.allowsPlainLoopback = true
        settings.requestLimit = .seconds(10)
        return try HTTPClient(settings)
    }
}
