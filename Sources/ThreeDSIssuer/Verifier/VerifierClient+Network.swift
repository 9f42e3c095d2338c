package import HTTPClient
package import TransactionApproval

extension VerifierClient {
    /// The longest wait that the bank's API knows.
    package static let maximumWait = 60
    /// The time for a response without a wait: the directory server waits for the ARes meanwhile.
    private static let responseLimit = Duration.seconds(4)

    /// A client over the network, which shows this token and certificate.
    package init(
        of enterprise: EnterpriseID,
        at origin: ServerOrigin,
        showing token: String,
        trusting authorities: String? = nil,
        as certificate: HTTPClient.ClientCertificate? = nil,
        waitingUpTo seconds: Int = maximumWait
    ) throws(VerifierFailure) {
        func client(responseWithin limit: Duration) throws(VerifierFailure) -> HTTPClient {
            try Self.client(trusting: authorities, as: certificate, responseWithin: limit)
        }
        let shortClient = try client(responseWithin: Self.responseLimit)
        let waitingClient = try client(responseWithin: Self.responseLimit + .seconds(seconds))
        let authorization = HTTPHeaderLine("authorization", "Bearer \(token)")
        self.init(of: enterprise) { call async throws(VerifierFailure) in
            do throws(HTTPFailure) {
                let request = HTTPRequest(call, at: origin, authorization)
                let sender = call.wait > .zero ? waitingClient : shortClient
                let response = try await sender.send(request)
                return (response.status, response.body)
            } catch {
                throw .unreachable(error)
            }
        }
    }

    private static func client(
        trusting authorities: String?,
        as certificate: HTTPClient.ClientCertificate?,
        responseWithin limit: Duration
    ) throws(VerifierFailure) -> HTTPClient {
        var settings = HTTPClient.Configuration()
        settings.authorities = authorities
        settings.clientCertificate = certificate
        settings.allowsPlainLoopback = true
        settings.connectionTimeout = min(settings.connectionTimeout, limit)
        settings.requestTimeout = limit
        do throws(HTTPFailure) {
            return try HTTPClient(settings)
        } catch {
            throw .unreachable(error)
        }
    }
}

extension HTTPRequest {
    fileprivate init(
        _ call: VerifierClient.Call,
        at origin: ServerOrigin,
        _ authorization: HTTPHeaderLine
    ) {
        let content = call.content ?? []
        let method: Method =
            switch call.method {
            case .get: .get
            case .put: .put(content)
            case .post: .post(content)
            }
        let type = call.content.map { _ in HTTPHeaderLine("content-type", "application/json") }
        let key = call.key.map { HTTPHeaderLine("idempotency-key", $0) }
        let headers = [authorization] + [type, key].compactMap { $0 }
        self.init(method, origin.text + call.target, headers: headers)
    }
}
