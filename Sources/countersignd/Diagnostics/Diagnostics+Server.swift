import CommandLineTool
import ConfigurationFiles
import HTTPClient
import ServerOperation
import TransactionApproval
import VerifierServer

extension Diagnostics {
    /// Checks members that only `run` uses.
    func addressFindings() -> [Finding] {
        guard configuration.origin != nil else {
            return [
                Finding(
                    warning: .configuration,
                    "the member server is missing, so countersignd run does not start",
                    hint: "add it, except where only other commands run"
                )
            ]
        }
        return addressFindings(of: .api, configuration.api)
            + addressFindings(of: .bank, configuration.bank)
            + addressFindings(of: .operation, configuration.operation)
    }

    private func addressFindings(
        of name: VerifierServer.Failure.Endpoint,
        _ endpoint: VerifierServer.Configuration.Endpoint?
    ) -> [Finding] {
        // Without addresses, the service manager may pass sockets.
        guard let settings = endpoint?.settings, !settings.addresses.isEmpty else { return [] }
        do throws(ListenerFailure) {
            try settings.checkAddresses()
            return []
        } catch {
            return [Finding(.configuration, CommandFailure(error, of: name.section))]
        }
    }

    /// Checks the files that `server.web` names.
    func webFindings() throws(CommandFailure) -> [Finding] {
        do throws(VerifierServer.Failure) {
            try configuration.verifier.checkWebFiles()
            return []
        } catch {
            throw CommandFailure(error.cause, of: configuration)
        }
    }

    /// Checks that a verifier is running and ready.
    func serverFindings() async throws(CommandFailure) -> [Finding] {
        guard let url = readinessURL ?? publicURL else { return [] }
        do throws(HTTPFailure) {
            let response = try await client().send(HTTPRequest(.get, url))
            guard response.status != 200 else { return [] }
            let body = String(decoding: response.body.prefix(80), as: UTF8.self)
            let reason = visible(String(body.prefix { $0 != "\n" }))
            return [
                Finding(
                    .server,
                    "the server at \(url) is not ready (\(response.status) \(reason))",
                    hint: "read the log of countersignd run"
                )
            ]
        } catch {
            return [finding(error, at: url)]
        }
    }

    private func finding(_ failure: HTTPFailure, at url: String) -> Finding {
        switch failure {
        case .serverUntrusted:
            Finding(
                .server,
                "the certificate of the server at \(url) is not trusted",
                hint: "name its CA certificates with --ca-certificates"
            )
        case .unusableCertificateFile: Finding(.server, .unusableCACertificates)
        default:
            Finding(
                .server,
                "cannot connect to \(url)",
                hint: "start it: systemctl start countersignd, or countersignd run"
            )
        }
    }

    /// The health check, if it needs no certificate.
    private var readinessURL: String? {
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

    /// A page that needs no token, at the address that devices use.
    private var publicURL: String? {
        configuration.origin.map { "\($0)/openapi.json" }
    }

    private func client() throws(HTTPFailure) -> HTTPClient {
        var settings = HTTPClient.Configuration()
        settings.authorities = caCertificates?.text
        settings.allowsPlainLoopback = true
        settings.requestTimeout = .seconds(10)
        return try HTTPClient(settings)
    }
}
