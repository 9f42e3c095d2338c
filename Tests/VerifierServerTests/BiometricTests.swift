import Cryptography
import HTTPServer
import StoreTesting
import TestSupport
import Testing
import TransactionApproval
import Verifier
import VerifierServer
import VerifierWorld

@testable import AuthenticationHandler

/// The library on a device, a program that recognises the person, and the verifier's own routes.
@Suite(.onEveryStore) struct `Biometrics at the verifier` {
    private let folder: TemporaryFolder
    private let server: ServedBank
    private let app: AuthenticationHandler

    init() async throws {
        folder = try TemporaryFolder()
        let policy = #"{"authentication": ["userPIN", "biometric"]}"#
        server = try await ServedBank(policy: policy)
        app = try Self.app(on: folder, server)
        try await activate()
    }

    private static func app(
        on folder: TemporaryFolder,
        _ server: ServedBank
    ) throws -> AuthenticationHandler {
        let script = """
            read verb name
            if [ $verb = make ]; then head -c 32 /dev/urandom > "$HERE/key"; fi
            if [ $verb != delete ]; then echo key; cat "$HERE/key"; fi
            """
        let program = BiometricProgram(
            path: "/bin/sh",
            arguments: [try folder.write(script, to: "script")],
            environment: ["HERE": folder.path]
        )
        var surroundings = Surroundings()
        let clock = server.bank.clock
        surroundings.now = { clock.now }
        surroundings.pinCost = .floor
        return AuthenticationHandler(
            vault: Vault(
                folder: PrivateFolder(folder.path + "/vault"),
                secretStore: SecretFolder(folder.path + "/secrets")
            ),
            deviceName: try DeviceName("Phone").unwrapped(),
            transport: Routes(api: server.api),
            biometrics: program,
            surroundings: surroundings
        )
    }

    private func pin() throws -> PIN {
        let digits = Array("271905".utf8)
        return try PIN(copying: digits.span)
    }

    private func activate() async throws {
        let trusted = TrustedServer(
            origin: try ServedBank.origin.unwrapped(),
            agreementKey: server.bank.agreementKey.publicKey,
            signingKey: server.answerKey.publicKey
        )
        let issued = try await server.bank.issue()
        let code = try issued.code.text().withBytes { $0.array }
        let verified = try await app.verifyActivation(
            Activation(id: issued.id.text, code: code.span, at: trusted)
        )
        _ = try await app.setPIN(pin(), for: verified)
    }

    private func approve() async throws {
        let payment = try await server.bank.pay()
        let pending = try await app.getTransaction().unwrapped()
        #expect(pending.id == payment.id.text)
        try await app.authenticateUsingBiometrics(pending)
    }

    private func turnOn() async throws {
        try await app.updateAuthenticationType(.turnOn(.biometric, pin: pin()))
    }

    @Test func `are turned on, approve, log in, and are turned off and on again`() async throws {
        try await turnOn()
        try await approve()
        let login = try await app.verifyBiometrics(signing: [1, 2, 3])
        let data: [UInt8] = [1, 2, 3]
        let redemption = try await server.bank.verifier.redeemLogin(
            TransactionID(login).unwrapped(),
            of: Bank.account,
            over: HashAlgorithm.sha256.digest(of: data.span).array,
            by: Bank.core
        )
        guard case .redeemed = redemption else { throw Bank.Unexpected() }
        try await app.updateAuthenticationType(.turnOff(.biometric))
        #expect(try await app.getEnabledAuthenticationTypes() == [.userPIN])
        #expect(try await server.bank.count(of: .credentialRemoved) == 1)
        try await turnOn()
        try await approve()
        // Made anew without being turned off before, too.
        try await turnOn()
        try await approve()
    }

    @Test func `are not turned on by a wrong PIN, which counts`() async throws {
        let digits = Array("271906".utf8)
        let error = await #expect(throws: AuthenticationError.self) {
            let wrong = try PIN(copying: digits.span)
            try await app.updateAuthenticationType(.turnOn(.biometric, pin: wrong))
        }
        #expect(error?.code == .authenticationFailed)
        #expect(error?.attemptsLeft == 4)
        #expect(try await app.getEnabledAuthenticationTypes() == [.userPIN])
    }
}

/// The verifier's routes with nothing between.
private struct Routes: HTTPTransport {
    let api: DeviceAPI

    func answer(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedAnswer {
        // What it is made of is always there in these tests: `try?`.
        guard let request = try? Request(request) else { throw .unreachable }
        return UnverifiedAnswer(await api.answer(request))
    }
}
