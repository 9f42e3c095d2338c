import Foundation
import ProgramTesting
import TestSupport

@testable import AuthenticationHandler

extension Person {
    /// The library with the vault of this person; each response of `route` is lost.
    func library(losing route: DeviceRoute) throws -> AuthenticationHandler {
        for folder in [".local/share/countersign", ".local/state/countersign"] {
            try FileManager.default.createDirectory(
                atPath: "\(home.path)/\(folder)",
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        return try AuthenticationHandler(
            vault: home.path + "/.local/share/countersign/vault",
            secrets: SecretFolder(home.path + "/.local/state/countersign/secrets"),
            deviceName: "Laptop",
            transport: LossyTransport(
                route: route,
                network: NetworkTransport(try trusted().network)
            )
        )
    }

    /// Sends the first activation, whose result stays unknown.
    func activateWithoutResponse(_ id: String, _ code: String) async throws {
        let handler = try library(losing: .activationCommit)
        let activation = try Activation(
            id: id,
            code: Array(code.utf8).span,
            at: try trusted().server
        )
        let verified = try await handler.verifyActivation(activation)
        // The result is what the test is about: `try?`.
        _ = try? await handler.setPIN(try PIN(copying: Array(Person.pin.utf8).span), for: verified)
    }

    /// Sends the change of the first account, whose result stays unknown.
    func changePINWithoutResponse(to new: String) async throws {
        let handler = try library(losing: .rekey)
        let old = try PIN(copying: Array(Person.pin.utf8).span)
        // The result is what the test is about: `try?`.
        _ = try? await handler.changePIN(from: old, to: try PIN(copying: Array(new.utf8).span))
    }

    private func trusted() throws -> (server: TrustedServer, network: NetworkSettings) {
        let settings = try JSONDecoder().decode(Settings.self, from: Data(bank.settings.utf8))
        var network = NetworkSettings()
        network.authorities = settings.authorities
        let server = settings.servers[0]
        return (
            try TrustedServer(
                origin: server.origin,
                agreementKey: server.agreementKey,
                signingKey: server.signingKey
            ), network
        )
    }

    private struct Settings: Decodable {
        struct Server: Decodable {
            let origin, agreementKey, signingKey: String
        }

        let servers: [Server]
        let authorities: String
    }
}

/// The network, on which the responses of one route are lost after the verifier sent them.
private struct LossyTransport: HTTPTransport {
    let route: DeviceRoute
    let network: NetworkTransport

    func response(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedResponse {
        let response = try await network.response(to: request)
        guard !request.message.targetURI.hasSuffix(route.path) else { throw .responseMissing }
        return response
    }
}
