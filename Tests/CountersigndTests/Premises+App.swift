import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport

/// An app on a phone, as others write it, that trusts the verifier of these premises.
extension Premises {
    static let pin = "271905"

    static func typed(_ pin: String = Premises.pin) throws -> PIN {
        let digits = Array(pin.utf8)
        return try PIN(copying: digits.span)
    }

    func app(
        at origin: String,
        pinning name: Certificates.Name = .server
    ) async throws -> AuthenticationHandler {
        let certificates = try Certificates.made.get()
        var network = NetworkSettings()
        network.authorities = certificates.path(.authority)
        network.proxy = .none
        let app = try AuthenticationHandler(
            vault: path("vault"),
            secrets: SecretFolder(path("secrets")),
            deviceName: "Phone",
            network: network
        )
        let keys = [try certificates.pinText(name), try certificates.pinText(.rsa)]
        try await app.configurePinning([try PinnedServer(origin: origin, keys: keys)])
        return app
    }

    /// By the keys that `init` prints.
    func trusted(at origin: String) throws -> TrustedServer {
        let printed = try countersignd("init").output
        func key(_ name: String) throws -> String {
            let line = printed.split(separator: "\n").first { $0.contains(name) }
            guard let key = line?.split(separator: " ").last else { throw Failure(said: printed) }
            return String(key)
        }
        return try TrustedServer(
            origin: origin,
            agreementKey: key("agreementKey"),
            signingKey: key("signingKey")
        )
    }

    /// By what the person was told.
    func activate(
        _ app: AuthenticationHandler,
        at origin: String,
        by id: String,
        _ code: String
    ) async throws {
        let typed = Array(code.utf8)
        let activation = try Activation(id: id, code: typed.span, at: trusted(at: origin))
        let verified = try await app.verifyActivation(activation)
        _ = try await app.setPIN(Self.typed(), for: verified)
    }
}
