import OneTimePassword
package import TransactionApproval
import Verification

extension BankRoute {
    private static let ofDevice = ofAccount + "/devices/{device}"
    private static let ofCredential = ofDevice + "/credentials/{credential}"

    static let devices = [
        BankRoute(.get, ofAccount + "/devices", .read, listDevices),
        BankRoute(.get, ofDevice, .read, showDevice),
        BankRoute(.delete, ofDevice, .support, revokeDevice),
        BankRoute(.put, ofCredential + "/unlocking", .support, unlock),
        BankRoute(.put, ofCredential + "/enabling", .support, enable),
        BankRoute(.delete, ofCredential + "/enabling", .support, disable),
        BankRoute(
            calling: ofDevice + "/resynchronisation",
            .support,
            with: CodePair.self,
            resynchronise
        ),
    ]

    private static func listDevices(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let devices = try await request.verifier.devices(of: request.account) else {
            return .notFound
        }
        return .ok(DeviceList(devices: devices.map { DeviceResource($0) }))
    }

    private static func showDevice(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        let devices = try await request.verifier.devices(of: request.account)
        guard
            let id = DeviceID(request.text(.device)),
            let device = devices?.first(where: { $0.device.id == id })
        else { return .notFound }
        return .ok(DeviceResource(device))
    }

    private static func revokeDevice(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let id = DeviceID(request.text(.device)) else { return .notFound }
        let answer = try await request.verifier.revoke(id, of: request.account, by: request.actor)
        return BankResponse(answer)
    }

    private static func unlock(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let (kind, device) = request.credential else { return .notFound }
        let answer = try await request.verifier.unlock(
            kind,
            on: device,
            of: request.account,
            by: request.actor
        )
        return BankResponse(answer)
    }

    private static func enable(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        try await setEnabled(true, request)
    }

    private static func disable(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        try await setEnabled(false, request)
    }

    private static func setEnabled(
        _ isEnabled: Bool,
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let (kind, device) = request.credential else { return .notFound }
        let answer = try await request.verifier.setEnabled(
            isEnabled,
            kind,
            on: device,
            of: request.account,
            by: request.actor
        )
        return BankResponse(answer)
    }

    private static func resynchronise(
        _ request: BankRequest,
        _ pair: CodePair,
        _ call: BankCall
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let device = DeviceID(request.text(.device)) else { return .notFound }
        let answer = try await request.verifier.resynchronise(
            pair.first,
            then: pair.second,
            isWitnessed: pair.isWitnessed ?? false,
            TypedSubmission(call: call, device: device, account: request.account),
            by: request.actor
        )
        return BankResponse(answer)
    }
}

extension BankRequest {
    fileprivate var credential: (CredentialKind, DeviceID)? {
        guard
            let kind = CredentialKind(rawValue: text(.credential)),
            let device = DeviceID(text(.device))
        else { return nil }
        return (kind, device)
    }
}

extension BankResponse {
    /// A repeated call gets the same response.
    fileprivate init(_ answer: DeviceResult) {
        self =
            switch answer {
            case .done, .unchanged: .noContent
            case .unknown: .notFound
            }
    }
}

/// Two consecutive codes, and whether an employee of the bank saw the device show them.
package struct CodePair: Codable, Sendable {
    let first: String
    let second: String
    let isWitnessed: Bool?

    package init(first: String, second: String, isWitnessed: Bool) {
        self.first = first
        self.second = second
        self.isWitnessed = isWitnessed
    }
}

package struct DeviceList: Codable, Sendable {
    package let devices: [DeviceResource]
}

package struct DeviceResource: Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case installation, token
    }

    package enum Status: String, Codable, Sendable {
        case active, blocked, revoked
    }

    package let id: DeviceID
    package let kind: Kind
    package let name: String
    package let status: Status
    package let activated: Timestamp
    package let push: Push
    package let credentials: [CredentialResource]

    package enum Push: String, Codable, Sendable {
        case off, events, fcm
    }

    init(_ overview: DeviceOverview) {
        let device = overview.device
        id = device.id
        kind =
            switch device.kind {
            case .installation: .installation
            case .token: .token
            }
        name = device.name
        status =
            switch device.status {
            case .active: .active
            case .blocked: .blocked
            case .revoked: .revoked
            }
        activated = device.activated
        push =
            switch overview.push {
            case .off: .off
            case .events: .events
            case .fcm: .fcm
            }
        credentials = overview.credentials.map { CredentialResource($0) }
    }
}

/// Without the counter: together with a code it would test a PIN.
package struct CredentialResource: Codable, Sendable {
    package enum Status: String, Codable, Sendable {
        case active, disabled, outdated
    }

    package let kind: CredentialKind
    package let status: Status
    package let generation: Generation
    /// Nil while codes are not evaluated.
    package let attemptsLeft: Int?
    package let lock: LockEnd?

    init(_ credential: HeldCredential) {
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
        case .locked(let end): (attemptsLeft, lock) = (nil, .until(end))
        case .blocked: (attemptsLeft, lock) = (nil, .never)
        }
    }
}
