import Cryptography
import FailureTranslation
import HTTPClient
import TransactionApproval

/// Sends requests over TLS, or over plain HTTP on the loopback interface.
struct NetworkTransport: HTTPTransport {
    /// More than the maximum size of a message.
    static let maximumResponseByteCount = 128 << 10

    private let settings: NetworkSettings
    private let client: HTTPClient
    private let pinned: [ServerOrigin: HTTPClient]

    init(
        _ settings: NetworkSettings,
        pinning servers: [PinnedServer] = []
    ) throws(AuthenticationError) {
        self.settings = settings
        client = try HTTPClient(settings, pins: [])
        var pinned: [ServerOrigin: HTTPClient] = [:]
        for server in servers {
            pinned[server.origin] = try HTTPClient(settings, pins: server.keys)
        }
        self.pinned = pinned
    }

    func pinning(_ servers: [PinnedServer]) throws(AuthenticationError) -> any HTTPTransport {
        try NetworkTransport(settings, pinning: servers)
    }

    func response(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedResponse {
        let response = try await translatingAsync(
            await client(for: request).send(HTTPRequest(request)),
            to: HTTPTransportFailure.init
        )
        return UnverifiedResponse(
            status: response.status,
            fields: response.headers.map { HTTPField($0.name, $0.value) },
            body: response.body
        )
    }

    func open(_ request: SignedRequest) async throws(HTTPTransportFailure) -> OpenResponse {
        let silence = EventStream.heartbeat * 2
        let stream = try await translatingAsync(
            await client(for: request).open(HTTPRequest(request), silence: silence),
            to: HTTPTransportFailure.init
        )
        return OpenResponse(
            status: stream.status,
            fields: stream.headers.map { HTTPField($0.name, $0.value) },
            pieces: stream.pieces
        )
    }

    private func client(for request: SignedRequest) -> HTTPClient {
        let uri = request.message.targetURI
        return pinned.first { uri.hasPrefix($0.key.text + "/") }?.value ?? client
    }
}

extension HTTPRequest {
    fileprivate init(_ request: SignedRequest) {
        self.init(
            .post(request.message.body),
            request.message.targetURI,
            headers: request.fields.map { HTTPHeaderLine($0.name, $0.value) }
        )
    }
}

extension HTTPClient {
    fileprivate init(
        _ settings: NetworkSettings,
        pins: [PublicKeyPin]
    ) throws(AuthenticationError) {
        var configuration = Configuration()
        configuration.authorities = settings.authorities
        configuration.pins = pins
        configuration.proxy =
            switch settings.proxy {
            case .ofEnvironment: .ofEnvironment
            case .none: .none
            case .url(let url): .url(url)
            }
        // Only loopback origins begin with this prefix.
        configuration.allowsPlainLoopback = true
        configuration.connectionTimeout = settings.connectionTimeout
        configuration.requestTimeout = settings.requestTimeout
        configuration.maximumResponseByteCount = NetworkTransport.maximumResponseByteCount
        self = try translating(HTTPClient(configuration)) { (failure: HTTPFailure) in
            AuthenticationError(transport: HTTPTransportFailure(failure))
        }
    }
}

extension HTTPTransportFailure {
    init(_ failure: HTTPFailure) {
        self =
            switch failure {
            case .networkUnavailable, .cancelled(isSent: false), .library: .unreachable
            case .responseMissing, .responseLate, .cancelled(isSent: true): .responseMissing
            case .serverUntrusted: .untrusted
            case .responseTooLarge, .malformedResponse: .malformed
            case .invalidRequest, .unusableCertificateFile: .unusableSettings
            }
    }
}
