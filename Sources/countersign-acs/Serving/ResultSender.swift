import CommandLineTool
import HTTPClient
import ServerOperation
import ThreeDSIssuer

/// Sends RReqs and error messages to a directory server, with the certificate of the ACS.
struct ResultSender: Sendable {
    private let http: HTTPClient
    private let results: String

    init(_ connection: DirectoryConnection, isSandbox: Bool) throws(CommandFailure) {
        var settings = HTTPClient.Configuration()
        settings.authorities = connection.authorities
        settings.allowsPlainLoopback = isSandbox
        settings.clientCertificate = HTTPClient.ClientCertificate(
            certificates: connection.client.certificate,
            privateKey: connection.client.key
        )
        let responseTime = connection.responseTime
        settings.connectionTimeout = ServedDirectory.connectionTime
        settings.responseTimeout = responseTime
        // Both limits end a request before this one.
        settings.requestTimeout = ServedDirectory.connectionTime + responseTime + .seconds(1)
        do throws(HTTPFailure) {
            http = try HTTPClient(settings)
        } catch {
            throw CommandFailure(
                .malformedInput,
                "the files of the directory \(connection.rid) cannot be used"
            )
        }
        results = connection.results
    }

    /// Sends to the configured address.
    var sender: ServedDirectory.Sender { sender(atAddress: results) }

    /// Sends to the `dsURL` of an AReq, if it is one of the same server.
    func sender(to dsURL: String) -> ServedDirectory.Sender? {
        guard dsURL != results, http.isSameOrigin(dsURL, results) else { return nil }
        return sender(atAddress: dsURL)
    }

    private func sender(atAddress address: String) -> ServedDirectory.Sender {
        { message async throws(ServedDirectory.ResultFailure) in
            let type = HTTPHeaderLine("content-type", "application/json; charset=utf-8")
            let response: HTTPResponse
            do throws(HTTPFailure) {
                response = try await http.send(
                    HTTPRequest(.post(message), address, headers: [type])
                )
            } catch {
                // It is a response that cannot be read.
                if error == .responseTooLarge { return [] }
                throw .init(error.words, isTimeout: error == .responseLate)
            }
            guard (200...299).contains(response.status) else {
                throw .init("status \(response.status)", body: response.body)
            }
            return response.body
        }
    }
}

extension HTTPFailure {
    /// For the log and for commands.
    fileprivate var words: String {
        switch self {
        case .invalidRequest: "the address cannot be used"
        case .unusableCertificateFile: "a file of certificates or of a key cannot be used"
        case .networkUnavailable(.name): "the name of the server has no address"
        case .networkUnavailable(.connection): "the server refuses connections"
        case .networkUnavailable(.proxy): "the proxy refused to connect"
        case .networkUnavailable(.handshake): "the TLS handshake failed"
        case .networkUnavailable(.deadline): "timeout while connecting"
        case .serverUntrusted: "the certificate of the server is not trusted"
        case .responseMissing: "the response did not arrive, or is incomplete"
        case .responseLate: "the response did not arrive in time"
        case .responseTooLarge: "the response is too large"
        case .malformedResponse: "the response is not HTTP"
        case .cancelled: "the ACS was stopped"
        case .library(let operation, let code): "\(operation) failed with the code \(code)"
        }
    }
}
