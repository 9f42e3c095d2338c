package import BankIntegration
import Cryptography
package import StrictJSON
package import TransactionApproval
import Verification

extension BankRoute {
    private static let ofActivation = ofAccount + "/activations/{activation}"

    static let activations = [
        BankRoute(.get, ofAccount + "/activations", .read, BankRequest.listActivations),
        BankRoute(
            calling: ofAccount + "/activations",
            .activations,
            as: .issueActivation,
            BankRequest.issueActivation
        ),
        BankRoute(.get, ofActivation, .read, BankRequest.showActivation),
        BankRoute(.get, ofActivation + "/qr.svg", .activations, BankRequest.showSVG),
        BankRoute(.get, ofActivation + "/qr.txt", .activations, BankRequest.showText),
        BankRoute(.get, ofActivation + "/code", .activationCodes, BankRequest.showCode),
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
        _ content: NewActivation,
        _ call: BankCall
    ) async throws(Verifier.Failure) -> BankResponse {
        // Otherwise the person would get a link that leads nowhere.
        guard api.servesWebDevices || !content.web else {
            return .refused(.own(.webDevicesNotServed))
        }
        let result = try await verifier.issueActivation(
            for: account,
            isWeb: content.web,
            call: call,
            by: author
        )
        switch consume result {
        case .issued(let activation):
            let id = activation.id
            return try await issued(id, readsCodes ? activation.takeCode() : nil)
        case .repeated(let id): return .repeated(try await issued(id, try await readCode(of: id)))
        case .refused(let refusal): return BankResponse(refusal)
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

    fileprivate func showCode() async throws(Verifier.Failure) -> BankResponse {
        guard
            let id = ActivationID(text(.activation)),
            let code = try await readCode(of: id), let text = try plainText(try code.text())
        else { return .notFound(.activation) }
        return .ok(ActivationCodeResource(code: text))
    }

    private var readsCodes: Bool { caller.scopes.contains(.activationCodes) }

    /// Nil without the scope, or if the activation is closed; the audit trail has each reading.
    private func readCode(of id: ActivationID) async throws(Verifier.Failure) -> ActivationCode? {
        readsCodes ? try await verifier.readCode(of: id, of: account, by: author) : nil
    }

    private func activation() async throws(Verifier.Failure) -> Activation? {
        guard let id = ActivationID(text(.activation)) else { return nil }
        return try await verifier.activation(id, of: account)
    }

    /// Without the code if the caller may not read it.
    private func issued(
        _ id: ActivationID,
        _ code: consuming ActivationCode?
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let activation = try await verifier.activation(id, of: account) else {
            return .notFound(.activation)
        }
        var resource = ActivationResource(activation, at: verifier.now)
        if resource.state == .open {
            resource.code = try plainText(try code?.text())
            let joinsCode = try await verifier.sendsCodeWithID(in: enterprise)
            resource.uri = try uri(of: activation, with: joinsCode ? code : nil)
        }
        return .created(resource, at: "\(target)/\(id)")
    }

    /// Nil if the activation is closed.
    private func qrCode() async throws(Verifier.Failure) -> QRCode? {
        guard
            let activation = try await activation(),
            ActivationResource(activation, at: verifier.now).state == .open
        else { return nil }
        let joinsCode = try await verifier.sendsCodeWithID(in: enterprise)
        let code = joinsCode ? try await readCode(of: activation.id) : nil
        return try uri(of: activation, with: code).flatMap { QRCode($0) }
    }

    /// With a code only if the enterprise sends both by one channel (SEC-49).
    private func uri(
        of activation: Activation,
        with code: consuming ActivationCode?
    ) throws(Verifier.Failure) -> String? {
        guard let origin = api.origin else { return nil }
        guard !activation.isWeb else {
            let link = WebActivationLink(server: origin, activation: activation.id, code: code)
            return try plainText(try link.text())
        }
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
        _ text: @autoclosure () throws(CryptographyFailure) -> SecureBytes?
    ) throws(Verifier.Failure) -> String? {
        try translatingSystemFailure(
            text()?.withBytes { String(decoding: $0.array, as: UTF8.self) },
            to: Verifier.Failure.system
        )
    }
}

extension BankResponse {
    fileprivate init(_ refusal: IssueResult.Refusal) {
        self =
            switch refusal {
            case .unknownAccount: .notFound(.account)
            case .accountReplaced: .refused(.own(.accountReplaced))
            case .testAccountForbidden: .refused(.own(.testAccountForbidden))
            case .webDevicesForbidden:
                .refused(.content(.policyForbids, [NewActivation.webForbidden]))
            case .keyReused: .refused(.own(.idempotencyKeyReused))
            }
    }
}

extension NoContent: RequestContent {
    package init?(_ value: CheckedValue) {
        guard value.object([]) != nil else { return nil }
        self.init()
    }
}

package struct NewActivation: RequestContent, Encodable {
    /// Whether it is for a web browser.
    let web: Bool

    package init(web: Bool) { self.web = web }

    package init?(_ value: CheckedValue) {
        guard let members = value.object(["web"]) else { return nil }
        self.init(web: members.optional("web")?.boolean() ?? false)
    }

    static let webForbidden = Violation(
        "/web",
        .notAllowed,
        "The policy must allow web devices with webDevices.allowed."
    )
}

package struct ActivationResource: Codable, Sendable {
    package enum State: String, Codable, Sendable {
        case open, used, revoked, expired
    }

    package let id: ActivationID
    package let state: State
    package let web: Bool
    package let issued: DateTime
    package let deadline: DateTime
    package let closed: DateTime?
    package fileprivate(set) var code: String?
    package fileprivate(set) var uri: String?

    init(_ activation: Activation, at now: Timestamp) {
        id = activation.id
        web = activation.isWeb
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

package struct ActivationCodeResource: Codable, Sendable {
    package let code: String
}

package struct ActivationList: Codable, Sendable {
    package let activations: [ActivationResource]
}
