import HTTPClient
import TransactionApproval

/// Carries requests over TLS, or in plain HTTP within this machine.
struct NetworkTransport: HTTPTransport {
    /// Longer than the largest message there is.
    static let longestAnswer = 128 << 10

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

    func answer(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedAnswer {
        let message = request.message
        do throws(HTTPFailure) {
            let response = try await client(for: message.targetURI).send(
                HTTPRequest(
                    .post(message.body),
                    message.targetURI,
                    headers: request.fields.map { HTTPHeaderLine($0.name, $0.value) }
                )
            )
            return UnverifiedAnswer(
                status: response.status,
                fields: response.headers.map { HTTPField($0.name, $0.value) },
                body: response.body
            )
        } catch {
            throw HTTPTransportFailure(error)
        }
    }

    private func client(for uri: String) -> HTTPClient {
        pinned.first { uri.hasPrefix($0.key.text + "/") }?.value ?? client
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
        // No other origin than this machine's begins so.
        configuration.allowsPlainLoopback = true
        configuration.connectionLimit = settings.connectionLimit
        configuration.requestLimit = settings.requestLimit
        configuration.longestResponse = NetworkTransport.longestAnswer
        do throws(HTTPFailure) {
            try self.init(configuration)
        } catch {
            throw AuthenticationError(HTTPTransportFailure(error))
        }
    }
}

extension HTTPTransportFailure {
    init(_ failure: HTTPFailure) {
        self =
            switch failure {
            case .networkUnavailable, .responseMissing, .cancelled, .library: .unreachable
            case .serverUntrusted, .responseTooLarge, .malformedResponse: .untrusted
            case .invalidRequest, .unusableCertificateFile: .unusableSettings
            }
    }
}
