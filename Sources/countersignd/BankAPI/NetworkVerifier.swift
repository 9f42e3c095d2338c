import CommandLineTool
import ConfigurationFiles
import Cryptography
import FailureTranslation
import HTTPClient
import Sealing
import ServerOperation
import TransactionApproval
import Verification
import VerifierServer

/// A verifier over the network, and the file of the token for it.
struct NetworkVerifier: Sendable {
    let origin: ServerOrigin
    let token: FilePath
    let caCertificates: FilePath?
    /// With its key.
    let clientCertificate: FilePath?
    /// The call of another person that each request of the command confirms.
    let confirms: RequestedCallID?

    /// Longer than the API's maximum wait for a decision.
    private static let timeout = Duration.seconds(75)
    private static let maximumResponseByteCount = 4 << 20
    static let scopeHint = "a token of one enterprise cannot see other enterprises"

    static func requestedCall(_ text: String) throws(CommandFailure) -> RequestedCallID {
        guard let id = RequestedCallID(text) else {
            throw CommandFailure(.usage, "--confirms must be the id of a requested call")
                .suggesting("the first call and the event call.requested contain it")
        }
        return id
    }

    func client() throws(CommandFailure) -> BankAPIClient {
        let connection = try connection()
        return BankAPIClient(scopeHint: Self.scopeHint) { request async throws(CommandFailure) in
            let response = try await connection.sending(
                request,
                try await connection.client.send(connection.request(request))
            )
            return APIResponse(status: response.status, body: response.body)
        }
    }

    /// An HTTP client with the header of all its requests.
    struct Connection: Sendable {
        let client: HTTPClient
        let origin: ServerOrigin
        /// They authorize each request.
        fileprivate let header: [HTTPHeaderLine]

        func request(_ request: APIRequest) -> HTTPRequest {
            HTTPRequest(request, at: origin, header)
        }

        /// Translates the failures of sending a request.
        func sending<Outcome>(
            _ request: APIRequest,
            _ body: @autoclosure () async throws(HTTPFailure) -> Outcome
        ) async throws(CommandFailure) -> Outcome {
            try await translatingAsync(await body()) { (failure: HTTPFailure) in
                CommandFailure(failure, of: request, at: origin)
            }
        }
    }

    func connection() throws(CommandFailure) -> Connection {
        var settings = HTTPClient.Configuration()
        settings.authorities = caCertificates?.text
        try clientCertificate.map(checkKey)
        settings.clientCertificate = clientCertificate.map {
            HTTPClient.ClientCertificate(certificates: $0.text, privateKey: $0.text)
        }
        settings.allowsPlainLoopback = true
        settings.requestTimeout = Self.timeout
        settings.maximumResponseByteCount = Self.maximumResponseByteCount
        let client = try translating(HTTPClient(settings)) { (_: HTTPFailure) in
            CommandFailure(.internalFailure, "libcurl cannot be used")
        }
        return Connection(
            client: client,
            origin: origin,
            header: [HTTPHeaderLine("authorization", "Bearer \(try tokenText())")]
                + [confirms.map { HTTPHeaderLine("confirms", "\($0)") }].compactMap { $0 }
        )
    }

    /// The key in the file of the client certificate is as secret as the token.
    private func checkKey(_ file: FilePath) throws(CommandFailure) {
        do throws(ListenerFailure) {
            try TLSFiles(certificate: file.text, key: file.text).checkKey()
        } catch {
            // A missing file is reported with the connection.
            guard case .keyOpenToOthers = error else { return }
            throw CommandFailure(error, of: "")
        }
    }

    /// A text that is not a token is never sent: it can be another secret.
    private func tokenText() throws(CommandFailure) -> String {
        let text = try translating(KeyFile.text(in: .file(token.text))) {
            (failure: KeyFile.Failure) in CommandFailure(failure, of: .token(token))
        }
        // The token leaves the process in a header, so a String is acceptable.
        let shown = try translatingSystemFailure(
            text.withBytes { text throws(CryptographyFailure) in
                try BankTokenText.shown(in: text)
            },
            to: CommandFailure.init(_:)
        )
        guard let shown else { throw .noToken(in: token) }
        return shown
    }
}

extension SecretFile {
    fileprivate static func token(_ file: FilePath) -> SecretFile {
        let path = file.text
        let missing = CommandFailure(.noInput, "the token file \(path) does not exist")
        return SecretFile(path: path, missing: missing) { _ in .noToken(in: file) }
    }
}

extension HTTPRequest {
    fileprivate init(
        _ request: APIRequest,
        at origin: ServerOrigin,
        _ header: [HTTPHeaderLine]
    ) {
        let body = request.body ?? []
        let method: Method =
            switch request.method {
            case .get: .get
            case .put: .put(body)
            case .post: .post(body)
            case .delete: .delete
            }
        self.init(
            method,
            origin.text + request.target,
            headers: header + request.header.map { HTTPHeaderLine($0.name, $0.value) }
        )
    }
}
