import Cryptography
package import StrictJSON
package import TransactionApproval
import Verification

extension BankRoute {
    private static let ofActivation = ofAccount + "/activations/{activation}"

    static let activations = [
        BankRoute(.get, ofAccount + "/activations", .read, BankRequest.listActivations),
        BankRoute(calling: ofAccount + "/activations", .activations, BankRequest.issueActivation),
        BankRoute(.get, ofActivation, .read, BankRequest.showActivation),
        BankRoute(.get, ofActivation + "/qr.svg", .activations, BankRequest.showSVG),
        BankRoute(.get, ofActivation + "/qr.txt", .activations, BankRequest.showText),
    ]
}

extension BankRequest {
    private static let maximumListed = 100

    fileprivate func listActivations() async throws(Verifier.Failure) -> BankResponse {
        let found = try await verifier.activations(of: account, limit: Self.maximumListed)
        guard let found else { return .notFound(.account) }
        let now = verifier.now
        return .ok(ActivationList(activations: found.map { ActivationResource($0, at: now) }))
    }

    fileprivate func issueActivation(
        _: NoContent,
        _ call: BankCall
    ) async throws(Verifier.Failure) -> BankResponse {
        let result = try await verifier.issueActivation(for: account, call: call, by: actor)
        switch consume result {
        case .issued(let activation): return try await issued(activation.id)
        case .repeated(let id): return .repeated(try await issued(id))
        case .unknownAccount: return .notFound(.account)
        case .accountReplaced: return .refused(.own(.accountReplaced))
        case .testAccountForbidden: return .refused(.own(.testAccountForbidden))
        case .keyReused: return .refused(.own(.idempotencyKeyReused))
        }
    }

    fileprivate func showActivation() async throws(Verifier.Failure) -> BankResponse {
        guard let activation = try await activation() else { return .notFound(.activation) }
        return .ok(ActivationResource(activation, at: verifier.now))
    }

    fileprivate func showSVG() async throws(Verifier.Failure) -> BankResponse {
        guard let code = try await qrCode() else { return .notFound(.activation) }
        return .file(Array(code.svg.utf8), type: "image/svg+xml")
    }

    fileprivate func showText() async throws(Verifier.Failure) -> BankResponse {
        guard let code = try await qrCode() else { return .notFound(.activation) }
        return .file(Array(code.text.utf8), type: "text/plain; charset=utf-8")
    }

    private func activation() async throws(Verifier.Failure) -> Activation? {
        guard let id = ActivationID(text(.activation)) else { return nil }
        return try await verifier.activation(id, of: account)
    }

    /// The only response with the code, which the person gets by another channel than the id.
    private func issued(_ id: ActivationID) async throws(Verifier.Failure) -> BankResponse {
        guard let activation = try await verifier.activation(id, of: account) else {
            return .notFound(.activation)
        }
        var resource = ActivationResource(activation, at: verifier.now)
        if resource.state == .open, let code = try verifier.code(of: activation) {
            resource.code = try plainText(try code.text())
            resource.uri = try await uri(of: activation)
        }
        return .created(resource, at: "\(target)/\(id)")
    }

    /// Nil if the activation is closed.
    private func qrCode() async throws(Verifier.Failure) -> QRCode? {
        guard
            let activation = try await activation(),
            ActivationResource(activation, at: verifier.now).state == .open
        else { return nil }
        return try await uri(of: activation).flatMap { QRCode($0) }
    }

    /// With the code only if the enterprise sends both by one channel (SEC-49).
    private func uri(of activation: Activation) async throws(Verifier.Failure) -> String? {
        guard let origin = api.origin else { return nil }
        let joinsCode = try await verifier.sendsCodeWithID(in: enterprise)
        let code = joinsCode ? try verifier.code(of: activation) : nil
        let uri = ActivationURI(
            server: origin,
            serverKey: api.agreementKey,
            activation: activation.id,
            code: code
        )
        return try plainText(try uri.text())
    }

    /// A response is not in secure memory.
    private func plainText(
        _ text: @autoclosure () throws(CryptographyFailure) -> SecureBytes
    ) throws(Verifier.Failure) -> String {
        try translatingSystemFailure(
            text().withBytes { String(decoding: $0.array, as: UTF8.self) },
            to: Verifier.Failure.system
        )
    }
}

extension NoContent: BankContent {
    package init?(_ value: CheckedValue) {
        guard value.object([]) != nil else { return nil }
        self.init()
    }
}

package struct ActivationResource: Codable, Sendable {
    package enum State: String, Codable, Sendable {
        case open, used, revoked, expired
    }

    package let id: ActivationID
    package let state: State
    package let issued: DateTime
    package let deadline: DateTime
    package let closed: DateTime?
    package fileprivate(set) var code: String?
    package fileprivate(set) var uri: String?

    init(_ activation: Activation, at now: Timestamp) {
        id = activation.id
        issued = DateTime(activation.issued)
        deadline = DateTime(activation.deadline)
        switch activation.state {
        case .open:
            state = now < activation.deadline ? .open : .expired
            closed = nil
        case .closed(let outcome, let moment):
            state =
                switch outcome {
                case .used: .used
                case .revoked: .revoked
                case .expired: .expired
                }
            closed = DateTime(moment)
        }
    }
}

package struct ActivationList: Codable, Sendable {
    package let activations: [ActivationResource]
}
