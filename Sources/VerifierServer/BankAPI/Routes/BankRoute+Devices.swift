package import BankIntegration
import OneTimePassword
package import StrictJSON
package import TransactionApproval
import Verification

extension BankRoute {
    private static let ofDevice = ofAccount + "/devices/{device}"
    private static let ofCredential = ofDevice + "/credentials/{credential}"

    static let devices = [
        BankRoute(.get, ofAccount + "/devices", .read, BankRequest.listDevices),
        BankRoute(.get, ofDevice, .read, BankRequest.showDevice),
        BankRoute(.delete, ofDevice, .support, as: .revokeDevice, BankRequest.revokeDevice),
        BankRoute(
            .put,
            ofDevice + "/enabling",
            .support,
            as: .enableDevice,
            BankRequest.enableDevice
        ),
        BankRoute(
            .delete,
            ofDevice + "/enabling",
            .support,
            as: .disableDevice,
            BankRequest.disableDevice
        ),
        BankRoute(
            .put,
            ofCredential + "/unlocking",
            .support,
            as: .unlockCredential,
            BankRequest.unlock
        ),
        BankRoute(
            .put,
            ofCredential + "/enabling",
            .support,
            as: .enableCredential,
            BankRequest.enable
        ),
        BankRoute(
            .delete,
            ofCredential + "/enabling",
            .support,
            as: .disableCredential,
            BankRequest.disable
        ),
        BankRoute(
            calling: ofDevice + "/resynchronisation",
            .support,
            as: .resynchroniseDevice,
            BankRequest.resynchronise
        ),
    ]
}

extension BankRequest {
    fileprivate func listDevices() async throws(Verifier.Failure) -> BankResponse {
        guard let devices = try await verifier.devices(of: account) else {
            return .notFound(.account)
        }
        return .ok(DeviceList(devices: devices.map { DeviceResource($0) }))
    }

    fileprivate func showDevice() async throws(Verifier.Failure) -> BankResponse {
        let devices = try await verifier.devices(of: account)
        guard let id = device, let device = devices?.first(where: { $0.device.id == id }) else {
            return .notFound(.device)
        }
        return .ok(DeviceResource(device))
    }

    fileprivate func revokeDevice() async throws(Verifier.Failure) -> BankResponse {
        guard let device else { return .notFound(.device) }
        return BankResponse(try await verifier.revoke(device, of: account, by: author))
    }

    fileprivate func unlock() async throws(Verifier.Failure) -> BankResponse {
        guard let device else { return .notFound(.device) }
        guard let credential else { return .notFound(.credential) }
        return BankResponse(
            try await verifier.unlock(credential, on: device, of: account, by: author)
        )
    }

    fileprivate func enableDevice() async throws(Verifier.Failure) -> BankResponse {
        try await setEnabled(true, nil)
    }

    fileprivate func disableDevice() async throws(Verifier.Failure) -> BankResponse {
        try await setEnabled(false, nil)
    }

    fileprivate func enable() async throws(Verifier.Failure) -> BankResponse {
        guard let credential else { return .notFound(.credential) }
        return try await setEnabled(true, credential)
    }

    fileprivate func disable() async throws(Verifier.Failure) -> BankResponse {
        guard let credential else { return .notFound(.credential) }
        return try await setEnabled(false, credential)
    }

    private func setEnabled(
        _ isEnabled: Bool,
        _ kind: CredentialKind?
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let device else { return .notFound(.device) }
        return BankResponse(
            try await verifier.setEnabled(isEnabled, kind, on: device, of: account, by: author)
        )
    }

    fileprivate func resynchronise(
        _ pair: CodePair,
        _ call: BankCall
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let device else { return .notFound(.device) }
        let result = try await verifier.resynchronise(
            pair.first,
            then: pair.second,
            isWitnessed: pair.isWitnessed,
            TypedSubmission(call: call, device: device, account: account),
            by: author
        )
        return BankResponse(result)
    }

    private var credential: CredentialKind? { CredentialKind(rawValue: text(.credential)) }
}

extension BankResponse {
    /// A repeated call gets the same response.
    fileprivate init(_ result: DeviceResult) {
        self =
            switch result {
            case .done, .unchanged: .noContent
            case .unknownDevice: .notFound(.device)
            case .unknownCredential: .notFound(.credential)
            }
    }
}

/// Two consecutive codes, and whether an employee of the bank saw the device show them.
package struct CodePair: RequestContent, Encodable {
    let first: String
    let second: String
    let isWitnessed: Bool

    package init(first: String, second: String, isWitnessed: Bool) {
        self.first = first
        self.second = second
        self.isWitnessed = isWitnessed
    }

    package init?(_ value: CheckedValue) {
        guard let members = value.object(["first", "second", "isWitnessed"]) else { return nil }
        let first = members.required("first")?.hidden().string()
        let second = members.required("second")?.hidden().string()
        let isWitnessed = members.optional("isWitnessed")?.boolean()
        guard let first, let second else { return nil }
        self.init(first: first, second: second, isWitnessed: isWitnessed ?? false)
    }
}

package struct DeviceList: Codable, Sendable {
    package let devices: [DeviceResource]
}

package struct DeviceResource: Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case installation, web, token
    }

    package enum Status: String, Codable, Sendable {
        case active, blocked, revoked
    }

    package let id: DeviceID
    package let kind: Kind
    package let name: String
    package let status: Status
    package let activated: DateTime
    package let push: Push
    package let credentials: [CredentialResource]

    package enum Push: String, Codable, Sendable {
        case off, events, fcm, web
    }

    init(_ overview: DeviceOverview) {
        let device = overview.device
        id = device.id
        kind =
            switch device.kind {
            case .installation: device.isWeb ? .web : .installation
            case .token: .token
            }
        name = device.name
        status =
            switch device.status {
            case .active: .active
            case .blocked: .blocked
            case .revoked: .revoked
            }
        activated = DateTime(device.activated)
        push =
            switch overview.push {
            case .off: .off
            case .events: .events
            case .fcm: .fcm
            case .web: .web
            }
        credentials = overview.credentials.map { CredentialResource($0) }
    }
}

/// Without the counter: together with a code it would test a PIN.
package struct CredentialResource: Codable, Sendable {
    package enum Status: String, Codable, Sendable {
        case active, disabled, outdated
    }

    /// The subject of its events.
    package let id: CredentialID
    package let kind: CredentialKind
    package let status: Status
    package let generation: Generation
    /// Nil while codes are not evaluated.
    package let attemptsLeft: Int?
    package let lock: LockResource?

    init(_ credential: HeldCredential) {
        id = credential.id
        kind = credential.kind
        generation = credential.generation
        status =
            switch credential.status {
            case .active: .active
            case .disabled, .disabledAndOutdated: .disabled
            case .outdated: .outdated
            }
        switch credential.failures {
        case .open(let left): (attemptsLeft, lock) = (left, nil)
        case .locked(let end): (attemptsLeft, lock) = (nil, LockResource(.until(end)))
        case .blocked: (attemptsLeft, lock) = (nil, LockResource(.never))
        }
    }
}
