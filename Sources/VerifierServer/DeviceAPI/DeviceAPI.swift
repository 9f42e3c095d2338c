package import Cryptography
package import HTTPServer
import StrictJSON
package import TransactionApproval
package import Verification

/// Answers devices: what is signed well gets a signed answer, whatever it is, and all else gets one
/// and the same.
///
/// The order is the promise. Size and form cost a stranger's request no look into the store. Then
/// comes the signature, under the stored key of the device that it names or, where there is none,
/// under a key that nobody has: both are read by the same statement and checked by the same work,
/// so neither answer nor time tells what devices there are (SEC-52). Then the nonce; then the limit
/// of how often one device may ask; and only then the verifier's own order of checks.
package struct DeviceAPI: Sendable {
    let verifier: Verifier
    let metrics: Metrics
    /// What answers will be signed with one day, once that is decided.
    let nextResponseKey: P256.PublicKey?
    let deviceNonces = NonceMemory(capacity: 1 << 18)
    let deviceLimit = RequestLimit(capacity: 1 << 18)
    /// Apart from those of devices: anybody can sign with a key of his own that he claims to have.
    let claimantNonces = NonceMemory(capacity: 1 << 12)
    let openStreams = OpenStreams()

    private let origin: ServerOrigin
    private let responseKey: P256.PrivateKey
    /// The point of a key whose private half is gone.
    private let nobodysKey: [UInt8]

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
        nobodysKey = try P256.PrivateKey().publicKey.uncompressedPoint
    }

    package func answer(_ request: Request) async -> Response {
        await answered(request).response
    }

    func answered(_ request: Request) async -> Answered {
        guard let route = DeviceRoute(rawValue: request.target) else {
            return Answered(UnsignedResponse.notFound, by: nil)
        }
        do throws(UnsignedResponse) {
            guard request.method == DeviceRoute.method else { throw .methodNotAllowed }
            return try await answer(request, by: route.service)
        } catch {
            return Answered(error, by: route)
        }
    }

    private func answer<Service: DeviceService>(
        _ request: Request,
        by service: Service.Type
    ) async throws(UnsignedResponse) -> Answered {
        guard request.body.count <= Service.Request.limits.byteCount else { throw .stranger }
        let unverified = try unverified(request)
        // What is wrong with it is told to nobody; that something is, to whoever signed it.
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
            // Whoever sends a request again is not the device, which never does: a signed refusal
            // would be taken for the verdict on the first.
            guard
                let signer,
                await signer.nonces.isFirst(authentic.parameters, at: verifier.now)
            else { throw .stranger }
            guard await signer.limit?.allows(device, at: verifier.now) ?? true else {
                let wait = Problem.rateLimited(retryAfterSeconds: RequestLimit.retryAfterSeconds)
                return try signed(service, .message(.refused(wait)), answering: authentic.reference)
            }
            let isJSON = authentic.message.contentType == DeviceRoute.contentType
            let reply = await reply(
                to: isJSON ? content : nil,
                from: Sender(device: device, key: key),
                service
            )
            return try signed(service, reply, answering: authentic.reference)
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
        let point = signer?.point ?? nobodysKey
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

// MARK: The signed answer

extension DeviceAPI {
    private func reply<Service: DeviceService>(
        to content: Service.Request?,
        from sender: Sender,
        _ service: Service.Type
    ) async -> Reply<Service.Response> {
        guard let content else { return .message(.refused(.invalidArgument)) }
        do throws(Verifier.Failure) {
            return try await service.reply(to: content, from: sender, by: self)
        } catch {
            metrics.count(error)
            // It may have been done or not; asked for again under its attempt id, it is told.
            return .message(.refused(.serverUnavailable))
        }
    }

    private func signed<Service: DeviceService>(
        _ service: Service.Type,
        _ reply: Reply<Service.Response>,
        answering request: RequestReference
    ) throws(UnsignedResponse) -> Answered {
        switch reply {
        case .message(let outcome): try signed(service, outcome, answering: request)
        case .stream(let opening, let stream):
            try signed(service, opening, of: stream, answering: request)
        }
    }

    /// A proxy such as nginx would keep events back until it has many.
    private static let unbuffered = Field("x-accel-buffering", "no")

    private func signed<Service: DeviceService>(
        _ service: Service.Type,
        _ opening: StreamHead,
        of stream: @escaping Response.Stream,
        answering request: RequestReference
    ) throws(UnsignedResponse) -> Answered {
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
            return Answered(response, by: service.route.name)
        } catch {
            throw .unavailable
        }
    }

    private func signed<Service: DeviceService>(
        _ service: Service.Type,
        _ outcome: Outcome<Service.Response>,
        answering request: RequestReference
    ) throws(UnsignedResponse) -> Answered {
        if case .refused(let problem) = outcome {
            assert(service.route.refusals.contains(problem.code), "\(problem) on \(service.route)")
        }
        // Only a moment beyond what JSON holds is unwritable.
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
            return Answered(response, by: service.route.name, outcome: outcome.word)
        } catch {
            throw .unavailable
        }
    }
}
