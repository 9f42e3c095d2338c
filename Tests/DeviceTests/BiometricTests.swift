import AuthenticationHandler
import Storage
import StoreTesting
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// The library on a device, a biometric program, and the verifier's own routes.
@Suite(.onAnyStore) struct `Biometrics at the verifier` {
    private let folder: TemporaryFolder
    private let world: World

    init() async throws {
        folder = try TemporaryFolder()
        let script = """
            read verb name
            if [ $verb = make ]; then head -c 32 /dev/urandom > "$HERE/key"; fi
            if [ $verb != delete ]; then echo key; cat "$HERE/key"; fi
            """
        var world = try await World(policy: #"{"authentication": ["userPIN", "biometric"]}"#)
        world.biometrics = BiometricProgram(
            path: "/bin/sh",
            arguments: [try folder.write(script, to: "script")],
            environment: ["HERE": folder.path]
        )
        try await world.activate()
        self.world = world
    }

    private func turnOn(by pin: String = World.pin) async throws {
        try await world.app().enableBiometrics(pin: .typed(pin), for: nil)
    }

    private func approve() async throws {
        world.bank.clock.advance(by: .seconds(150))
        let shown = try await world.shown()
        try await world.app().approve(shown, with: .biometrics)
        #expect(try await world.bank.outcome(of: shown.id) == "approved by biometric")
    }

    private var enabledTypes: [AuthenticationType] {
        get async throws { try await world.app().enabledAuthenticationTypes() }
    }

    @Test func `are enabled, approve, log in, and are disabled and enabled again`() async throws {
        try await turnOn()
        try await approve()
        let login = try await world.app().logIn(with: .biometrics, signing: [1, 2, 3])
        #expect(try await world.bank.redeem(login, over: [1, 2, 3]) == "redeemed")
        try await world.app().disableBiometrics(for: nil)
        #expect(try await enabledTypes == [.userPIN])
        #expect(try await world.bank.count(of: .credentialRemoved) == 1)
        try await turnOn()
        try await approve()
        // Enabled again without being disabled first.
        try await turnOn()
        try await approve()
    }

    @Test func `are enabled as soon as the bank allows them, and refused once it does not`()
        async throws
    {
        try await world.bank.setPolicy("{}")
        _ = try await world.app().profile()
        #expect(await error { try await turnOn() }?.code == .authenticationTypeNotAllowed)
        try await world.bank.setPolicy(#"{"authentication": ["userPIN", "biometric"]}"#)
        try await turnOn()
        try await approve()
        try await world.bank.setPolicy("{}")
        #expect(await error { try await turnOn() }?.code == .authenticationTypeNotAllowed)
    }

    @Test func `keep working if the status cannot be fetched before they are enabled again`()
        async throws
    {
        try await turnOn()
        world.line.fail(.status, by: .requestLost)
        #expect(await error { try await turnOn() }?.code == .networkUnavailable)
        world.line.mend()
        try await approve()
    }

    @Test func `are not enabled by a wrong PIN, which counts`() async throws {
        let failure = await error { try await turnOn(by: World.wrongPIN) }
        #expect(failure?.code == .authenticationFailed)
        #expect(failure?.attemptsLeft == 4)
        #expect(try await enabledTypes == [.userPIN])
    }

    // MARK: Lost messages

    @Test(arguments: [Line.Fault.responseLost, .requestLost])
    func `are disabled if request or response is lost, and a repeat enables them`(
        _ fault: Line.Fault
    ) async throws {
        world.line.fail(.rekey, by: fault)
        let code = fault == .responseLost ? ErrorCode.responseMissing : .networkUnavailable
        #expect(await error { try await turnOn() }?.code == code)
        world.line.mend()
        #expect(try await enabledTypes == [.userPIN])
        #expect(try await world.app().profile().authenticationTypes == [.userPIN])
        try await turnOn()
        try await approve()
        #expect(try await world.bank.refusedCodes() == 0)
    }

    @Test func `are those of the repeat, even if the first request arrives late`() async throws {
        world.line.fail(.rekey, by: .requestHeldUp)
        _ = await error { try await turnOn() }
        world.line.mend()
        try await turnOn()
        #expect(await world.line.deliverHeldUp() == [409, 409])
        try await approve()
        #expect(try await world.bank.refusedCodes() == 0)
    }
}
