package import Cryptography
package import HTTPServer
import StrictJSON
package import TransactionApproval
package import Verification

/// The API for devices: a request with a valid signature gets a signed response, and every other
/// request gets the same one.
///
/// The order of the checks is a promise. Size and form are checked without the store. Next comes
/// the signature: if the named device is unknown, it is checked under a key without a private half.
/// Both cases run the same statement and the same work, so neither response nor time shows which
/// devices exist (SEC-52). Then come the nonce, the rate limit of the device, and the verifier's
/// own checks. A stranger's requests have a limit after these checks: see `StrangerLimit`.
package final class DeviceAPI: Sendable {
    let verifier: Verifier
    let metrics: Metrics
    /// The key that will sign responses after the next key change.
    let nextResponseKey: P256.PublicKey?
    /// Nil if no change of the agreement key is planned.
    let nextAgreementKey: AgreementKeyAnnouncement?
    /// Nil if browsers get no pushes.
    let webPush: WebPush?
    let deviceNonces = NonceMemory(capacity: 1 << 18)
    let deviceLimit = RequestLimit(capacity: 1 << 18)
    /// Separate from those of devices: everyone can sign with a key of their own.
    let claimantNonces = NonceMemory(capacity: 1 << 12)
    let wrongCodeLimit = StrangerLimit()
    /// Separate from wrong codes, so that these do not delay the recovery of a device.
    let unknownCommitLimit = StrangerLimit()
    let openStreams = OpenStreams()

    private let origin: ServerOrigin
    /// The field of signed responses that names the next keys; nil if no change is planned.
    private let announcement: Field?
    private let responseKey: P256.PrivateKey
    /// The public half of a key whose private half was dropped.
    private let decoyKey: [UInt8]

    package init(
        _ verifier: Verifier,
        at origin: ServerOrigin,
        signingWith responseKey: P256.PrivateKey,
        next nextResponseKey: P256.PublicKey? = nil,
        webPush: WebPush? = nil,
        metrics: Metrics = Metrics()
    ) throws(CryptographyFailure) {
        self.verifier = verifier
        self.metrics = metrics
        self.origin = origin
        self.responseKey = responseKey
        self.nextResponseKey = nextResponseKey
        self.webPush = webPush
        nextAgreementKey = try verifier.announcement(at: origin)
        let nextKeys = [nextResponseKey, nextAgreementKey?.key].compactMap(\.self)
        announcement = try AnnouncedKeys(of: nextKeys).map { Field($0.field.name, $0.field.value) }
        decoyKey = try P256.PrivateKey().publicKey.uncompressedPoint
    }

    package func respond(to request: Request) async -> Response {
        await reportedResponse(to: request).response
    }

    func reportedResponse(to request: Request) async -> ReportedResponse {
        guard let route = DeviceRoute(rawValue: request.target) else {
            return ReportedResponse(UnsignedResponse.notFound, by: nil)
        }
        do throws(UnsignedResponse) {
            guard request.method == DeviceRoute.method else { throw .methodNotAllowed }
            return try await respond(to: request, by: route.service)
        } catch {
            return ReportedResponse(error, by: route)
        }
    }

    private func respond<Service: DeviceService>(
        to request: Request,
        by service: Service.Type
    ) async throws(UnsignedResponse) -> ReportedResponse {
        guard request.body.count <= Service.Request.limits.byteCount else { throw .stranger }
        let unverified = try unverified(request)
        // `try?`: the response to content that cannot be read does not name the error, and it is sent
        // only after the signature is verified.
        let content = try? Service.Request(reading: request.body)
        let device = unverified.parameters.deviceID
        let signer = try await signer(service.signingKey(of: content, named: device), device)
        let key = try key(of: signer)
        switch try verdict(on: unverified, by: key) {
        case .forged: throw .stranger
        case .clockSkew(let reference):
            let skew = Problem.clockSkew(serverTime: verifier.now)
            return try await signed(service, .message(.refused(skew)), respondingTo: reference)
        case .authentic(let authentic):
            // A device never repeats a request. A signed refusal to a replay could be taken for the
            // verdict on the first one.
            guard
                let signer,
                signer.nonces.isFirst(authentic.parameters, at: verifier.now)
            else { throw .stranger }
            guard signer.limit?.allows(device, at: verifier.now) ?? true else {
                let wait = Problem.rateLimited(retryAfterSeconds: RequestLimit.retryAfterSeconds)
                return try await signed(
                    service,
                    .message(.refused(wait)),
                    respondingTo: authentic.reference
                )
            }
            let isJSON = authentic.message.contentType == DeviceRoute.contentType
            let call = (isJSON ? content : nil).map {
                DeviceCall(
                    request: $0,
                    device: device,
                    key: key,
                    network: request.peer.network,
                    api: self
                )
            }
            let response = try await response(to: call, service)
            return try await signed(service, response, respondingTo: authentic.reference)
        }
    }
}

// MARK: The signature of a request

extension DeviceAPI {
    /// A key as an uncompressed point, with the memory of the nonces it signed.
    private struct Signer {
        let point: [UInt8]
        let nonces: NonceMemory
        /// Nil for a key from the message, which can name any device.
        var limit: RequestLimit?
    }

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
        } catch .system {
            throw .unavailable
        } catch {
            throw .stranger
        }
    }

    private func signer(
        _ key: SigningKey,
        _ device: DeviceID
    ) async throws(UnsignedResponse) -> Signer? {
        switch key {
        case .stored:
            do throws(Verifier.Failure) {
                return try await verifier.publicKey(of: device).map {
                    Signer(point: $0, nonces: deviceNonces, limit: deviceLimit)
                }
            } catch {
                metrics.count(error)
                throw .unavailable
            }
        case .message(let key):
            return Signer(point: key.uncompressedPoint, nonces: claimantNonces)
        case .invalid: return nil
        }
    }

    /// Imports the decoy key for each unknown device, because the import takes time, too (SEC-52).
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
        to call: DeviceCall<Service.Request>?,
        _ service: Service.Type
    ) async throws(UnsignedResponse) -> ServiceResponse<Service.Response> {
        guard let call else { return .message(.refused(.invalidArgument)) }
        do throws(Verifier.Failure) {
            return try await service.response(to: call)
        } catch .system(.keyBusy) {
            throw .busy
        } catch {
            metrics.count(error)
            // The change may have been made; the device can ask again with its attempt id.
            return .message(.refused(.serverUnavailable))
        }
    }

    /// A proxy such as nginx would buffer the events.
    private static let unbuffered = Field("x-accel-buffering", "no")

    private func signed<Service: DeviceService>(
        _ service: Service.Type,
        _ response: ServiceResponse<Service.Response>,
        respondingTo request: RequestReference
    ) async throws(UnsignedResponse) -> ReportedResponse {
        let (now, route) = (verifier.now, service.route)
        switch response {
        case .stream(let head, let stream):
            let fields = try await fields { key throws(SignatureFailure) in
                try head.signedFields(respondingTo: request, created: now, with: key)
            }
            let response = Response(
                status: StreamHead.status,
                fields: fields + [Self.unbuffered],
                body: .stream(stream)
            )
            return ReportedResponse(response, by: route.name)
        case .message(let outcome):
            if case .refused(let problem) = outcome {
                // Only in debug builds: a device also understands a problem that its route does not
                // list.
                assert(route.refusals.contains(problem.code), "\(problem) on \(route)")
            }
            // Only times outside the range of JSON cannot be written.
            guard let message = try? service.message(outcome) else { throw .unavailable }
            let fields = try await fields { key throws(SignatureFailure) in
                try message.signedFields(respondingTo: request, created: now, with: key)
            }
            let response = Response(
                status: message.status,
                fields: announcement.map { fields + [$0] } ?? fields,
                body: .bytes(message.body)
            )
            return ReportedResponse(response, by: route.name, outcome: outcome.word)
        }
    }

    private func fields(
        _ signed: (P256.PrivateKey) throws(SignatureFailure) -> [HTTPField]
    ) async throws(UnsignedResponse) -> [Field] {
        let result: Result<[HTTPField], SignatureFailure>
        do throws(CryptographyFailure) {
            result = try await responseKey.withoutBlocking { key in
                Result { () throws(SignatureFailure) in try signed(key) }
            }
        } catch .keyBusy {
            throw .busy
        } catch {
            throw .unavailable
        }
        guard case .success(let fields) = result else { throw .unavailable }
        return fields.map { Field($0.name, $0.value) }
    }
}
