import AuthenticationHandler
import ProgramTesting
import TestSupport
import Testing

extension Premises {
    static let pin = "271905"

    static func typedPIN() throws -> PIN {
        let digits = Array(pin.utf8)
        return try PIN(copying: digits.span)
    }

    /// An app that trusts the verifier's certificate.
    func app(
        of origin: String,
        pinning name: Certificates.Name = .server
    ) async throws -> AuthenticationHandler {
        let certificates = try Certificates.shared.get()
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

    /// The server with the keys that `init` prints.
    func trusted(at origin: String) throws -> TrustedServer {
        let printed = try countersignd("init").output
        func key(_ name: String) throws -> String {
            let line = try #require(printed.firstMatch(of: Regex("\"\(name)\": \"([^\"]+)\"")))
            return String(try #require(line.output[1].substring))
        }
        return try TrustedServer(
            origin: origin,
            agreementKey: key("agreementKey"),
            signingKey: key("signingKey")
        )
    }

    func activate(
        _ app: AuthenticationHandler,
        of origin: String,
        by backend: Backend
    ) async throws {
        let issued = try backend.post("/activations")
        let (id, code) = (try #require(issued["id"]), Array(try #require(issued["code"]).utf8))
        let activation = try Activation(id: id, code: code.span, at: trusted(at: origin))
        let verified = try await app.verifyActivation(activation)
        _ = try await app.setPIN(Self.typedPIN(), for: verified)
    }
}
