package import Cryptography
package import HTTPServer
import StrictJSON
package import TransactionApproval
package import Verification

/// Answers devices: a request with a valid signature gets a signed response, and every other
/// request gets the same one.
///
/// The order of the checks is a promise. Size and form are checked without the store. Next comes
/// the signature: if the named device is unknown, it is checked under a key without a private half.
/// Both cases run the same statement and the same work, so neither response nor time shows which
/// devices exist (SEC-52). Then come the nonce, the rate limit of the device, and the verifier's
/// own checks.
package struct DeviceAPI: Sendable {
    let verifier: Verifier
    let metrics: Metrics
    /// The key that will sign responses after the next key change.
    let nextResponseKey: P256.PublicKey?
    let deviceNonces = NonceMemory(capacity: 1 << 18)
    let deviceLimit = RequestLimit(capacity: 1 << 18)
    /// Separate from those of devices: everyone can sign with a key of their own.
    let claimantNonces = NonceMemory(capacity: 1 << 12)
    let openStreams = OpenStreams()

    private let origin: ServerOrigin
    private let responseKey: P256.PrivateKey
    /// The public half of a key whose private half was dropped.
    private let decoyKey: [UInt8]

    package init(
        _ verifier: Verifier,
        at origin: ServerOrigin,
        signingWith responseKey: P256.PrivateKey,
        next nextResponseKey: P256.PublicKey? = nil,
        metrics: Metrics = Metrics()
    ) throws(CryptographyFailure) {
        self.verifier = verifier
        self.metrics = metrics
        self.origin = origin
        self.responseKey = responseKey
        self.nextResponseKey = nextResponseKey
        decoyKey = try P256.PrivateKey().publicKey.uncompressedPoint
    }

    package func answer(_ request: Request) async -> Response {
        await answered(request).response
    }

    func answered(_ request: Request) async -> ReportedResponse {
        guard let route = DeviceRoute(rawValue: request.target) else {
            return ReportedResponse(UnsignedResponse.notFound, by: nil)
        }
        do throws(UnsignedResponse) {
            guard request.method == DeviceRoute.method else { throw .methodNotAllowed }
            return try await answer(request, by: route.service)
        } catch {
            return ReportedResponse(error, by: route)
        }
    }

    private func answer<Service: DeviceService>(
        _ request: Request,
        by service: Service.Type
    ) async throws(UnsignedResponse) -> ReportedResponse {
        guard request.body.count <= Service.Request.limits.byteCount else { throw .stranger }
        let unverified = try unverified(request)
        // `try?`: the response to content that cannot be read does not name the error, and it is sent
        // only after the signature is verified.
        let content = try? Service.Request(reading: request.body)
        let device = unverified.parameters.deviceID
        let signer = try await signer(of: content, named: device, service)
        let key = try key(of: signer)
        switch try verdict(on: unverified, by: key) {
        case .forged: throw .stranger
        case .clockSkew(let reference):
            let skew = Problem.clockSkew(serverTime: verifier.now)
            return try signed(service, .message(.refused(skew)), answering: reference)
        case .authentic(let authentic):
            // A device never repeats a request. A signed refusal to a replay could be taken for the
            // verdict on the first one.
            guard
                let signer,
                await signer.nonces.isFirst(authentic.parameters, at: verifier.now)
            else { throw .stranger }
            guard await signer.limit?.allows(device, at: verifier.now) ?? true else {
                let wait = Problem.rateLimited(retryAfterSeconds: RequestLimit.retryAfterSeconds)
                return try signed(service, .message(.refused(wait)), answering: authentic.reference)
            }
            let isJSON = authentic.message.contentType == DeviceRoute.contentType
            let response = await response(
                to: isJSON ? content : nil,
                from: Sender(device: device, key: key),
                service
            )
            return try signed(service, response, answering: authentic.reference)
        }
    }
}

// MARK: The signature of a request

extension DeviceAPI {
    private func unverified(
        _ request: Request
    ) throws(UnsignedResponse) -> UnverifiedRequest {
        do throws(SignatureFailure) {
            return try UnverifiedRequest(
                method: request.method,
                targetURI: origin.text + request.target,
                fields: request.fields.map { HTTPField($0.name, $0.value) },
                body: request.body
            )
        } catch .machine {
            throw .unavailable
        } catch {
            throw .stranger
        }
    }

    private func signer<Service: DeviceService>(
        of content: Service.Request?,
        named device: DeviceID,
        _ service: Service.Type
    ) async throws(UnsignedResponse) -> Signer? {
        do throws(Verifier.Failure) {
            return try await service.signer(of: content, named: device, to: self)
        } catch {
            metrics.count(error)
            throw .unavailable
        }
    }

    private func key(of signer: Signer?) throws(UnsignedResponse) -> P256.PublicKey {
        let point = signer?.point ?? decoyKey
        do throws(CryptographyFailure) {
            return try P256.PublicKey(uncompressedPoint: point.span)
        } catch {
            throw .unavailable
        }
    }

    private func verdict(
        on request: UnverifiedRequest,
        by key: P256.PublicKey
    ) throws(UnsignedResponse) -> UnverifiedRequest.Verdict {
        do throws(CryptographyFailure) {
            return try request.verdict(for: key, at: verifier.now)
        } catch {
            throw .unavailable
        }
    }
}

// MARK: The signed response

extension DeviceAPI {
    private func response<Service: DeviceService>(
        to content: Service.Request?,
        from sender: Sender,
        _ service: Service.Type
    ) async -> ServiceResponse<Service.Response> {
        guard let content else { return .message(.refused(.invalidArgument)) }
        do throws(Verifier.Failure) {
            return try await service.response(to: content, from: sender, by: self)
        } catch {
            metrics.count(error)
            // The change may have been made; the device can ask again with its attempt id.
            return .message(.refused(.serverUnavailable))
        }
    }

    private func signed<Service: DeviceService>(
        _ service: Service.Type,
        _ response: ServiceResponse<Service.Response>,
        answering request: RequestReference
    ) throws(UnsignedResponse) -> ReportedResponse {
        switch response {
        case .message(let outcome): try signed(service, outcome, answering: request)
        case .stream(let opening, let stream):
            try signed(service, opening, of: stream, answering: request)
        }
    }

    /// A proxy such as nginx would buffer the events.
    private static let unbuffered = Field("x-accel-buffering", "no")

    private func signed<Service: DeviceService>(
        _ service: Service.Type,
        _ opening: StreamHead,
        of stream: @escaping Response.Stream,
        answering request: RequestReference
    ) throws(UnsignedResponse) -> ReportedResponse {
        do throws(SignatureFailure) {
            let fields = try opening.signedFields(
                answering: request,
                created: verifier.now,
                with: responseKey
            )
            let response = Response(
                status: StreamHead.status,
                fields: fields.map { Field($0.name, $0.value) } + [Self.unbuffered],
                body: .stream(stream)
            )
            return ReportedResponse(response, by: service.route.name)
        } catch {
            throw .unavailable
        }
    }

    private func signed<Service: DeviceService>(
        _ service: Service.Type,
        _ outcome: Outcome<Service.Response>,
        answering request: RequestReference
    ) throws(UnsignedResponse) -> ReportedResponse {
        if case .refused(let problem) = outcome {
            // Only in debug builds: a device also understands a problem that its route does not list.
            assert(service.route.refusals.contains(problem.code), "\(problem) on \(service.route)")
        }
        // Only times outside the range of JSON cannot be written.
        guard let message = try? service.message(outcome) else { throw .unavailable }
        do throws(SignatureFailure) {
            let fields = try message.signedFields(
                answering: request,
                created: verifier.now,
                with: responseKey
            )
            let response = Response(
                status: message.status,
                fields: fields.map { Field($0.name, $0.value) },
                body: .bytes(message.body)
            )
            return ReportedResponse(response, by: service.route.name, outcome: outcome.word)
        } catch {
            throw .unavailable
        }
    }
}
