import AuthenticationHandler
import StoreTesting
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@Suite(.onAnyStore) struct `The accounts of a device at a verifier` {
    @Test func `set their push setting`() async throws {
        let world = try await World()
        _ = try await world.bank.addLinkedAccount("4712")
        try await world.activate()
        let app = try world.app()
        for (push, setting) in [
            (Push.bankService, PushSetting.events), (.off, .off), (.off, .off),
            (.bankService, .events),
        ] {
            try await app.setPush(push)
            #expect(try await world.bank.push(of: "4711") == setting)
            #expect(try await world.bank.push(of: "4712") == setting)
        }
        try await app.setPush(.fcm(token: "dX:APA91b_-9"))
        #expect(try await world.bank.push() == .fcm(.init("dX:APA91b_-9").unwrapped()))
        let failure = await error { try await app.setPush(.fcm(token: "no token")) }
        #expect(failure?.code == .invalidArgument)
        world.line.cut()
        #expect(await error { try await app.setPush(.off) }?.code == .networkUnavailable)
        #expect(try await world.bank.push() == .fcm(.init("dX:APA91b_-9").unwrapped()))
    }

    @Test func `are deleted one by one`() async throws {
        let world = try await World()
        _ = try await world.bank.addLinkedAccount("4712")
        try await world.activate()
        let app = try world.app()
        #expect(try await app.deleteAccount(.named("4711")) == .everywhere)
        #expect(try await app.accounts() == [try .named("4712")])
        #expect(try await world.bank.devices(of: "4711") == [])
        #expect(try await world.bank.devices(of: "4712").count == 1)
        _ = try await app.logIn(with: .pin(.typed(World.pin)))
        try await world.activate()
        #expect(try await app.accounts().map(\.id) == ["4711", "4712"])
    }

    @Test func `whose activation has no result are listed, and can be deleted`() async throws {
        let world = try await World()
        try await world.activate()
        _ = try await world.bank.addAccount("4712")
        let letter = try await world.bank.letter(for: "4712")
        let verified = try await world.app().verifyActivation(world.activation(by: letter))
        world.line.fail(.activationCommit, by: .responseLost)
        _ = await error { try await world.app().setPIN(.typed(World.pin), for: verified) }
        world.line.fail(.status, by: .responseLost)
        let unusable = try await world.app().unusableAccounts()
        #expect(unusable.map(\.account) == [try .named("4712")])
        #expect(unusable.map(\.reason) == [.activationUnfinished])
        let change = await error {
            try await world.app().changePIN(from: .typed(World.pin), to: .typed(World.newPIN))
        }
        #expect(change?.code == .responseMissing)
        world.line.fail(.activationCommit, .status, .deletion, by: .requestLost)
        guard case .localOnly = try await world.app().deleteAccount(.named("4712")) else {
            throw Bank.Unexpected()
        }
        world.line.mend()
        #expect(try await world.app().unusableAccounts() == [])
        #expect(try await world.app().accounts().map(\.id) == ["4711"])
        _ = try await world.app().changePIN(from: .typed(World.pin), to: .typed(World.newPIN))
    }

    @Test func `of one name are deleted one after the other, the active one first`() async throws {
        let world = try await World()
        try await world.activate()
        _ = try await world.bank.addLinkedAccount("4712")
        let verified = try await world.app().verifyActivation(world.activation(of: "4712"))
        world.line.fail(.activationCommit, by: .requestLost)
        _ = await error { try await world.app().setPIN(.typed(World.pin), for: verified) }
        world.line.fail(.status, by: .requestLost)
        let (name, linked) = (try Account.named("4711"), try Account.named("4712"))
        #expect(try await world.app().accounts() == [name])
        #expect(try await world.app().unusableAccounts().map(\.account) == [linked, name])
        #expect(try await world.app().deleteAccount(name) == .everywhere)
        #expect(try await world.app().unusableAccounts().map(\.account) == [linked, name])
        _ = try await world.app().deleteAccount(name)
        #expect(try await world.app().unusableAccounts().map(\.account) == [linked])
    }

    @Test(arguments: [Line.Fault.requestLost, .responseLost, .responseForged])
    func `are deleted on the device if the response is lost, and report it`(
        _ fault: Line.Fault
    ) async throws {
        let world = try await World()
        try await world.activate()
        world.line.fail(.deletion, by: fault)
        let deletion = try await world.app().deleteAccount(.named("4711"))
        let code =
            switch fault {
            case .responseForged: ErrorCode.serverUntrusted
            case .responseLost: ErrorCode.responseMissing
            case .requestLost, .requestHeldUp: ErrorCode.networkUnavailable
            }
        guard case .localOnly(let failure) = deletion else { throw Bank.Unexpected() }
        #expect(failure.code == code)
        #expect(try await world.app().accounts() == [])
        #expect(try world.fileNames().filter { $0.contains("account-") } == [])
        let isThere = fault != .responseLost
        #expect(try await world.bank.devices().isEmpty != isThere)
    }

    @Test func `are deleted on the device if the bank revoked them`() async throws {
        let world = try await World()
        try await world.activate()
        try await world.bank.revokeDevice()
        #expect(await error { try await world.app().profile() }?.code == .deviceRevoked)
        #expect(try await world.app().deleteAccount(.named("4711")) == .everywhere)
        #expect(try await world.app().accounts() == [])
    }

    @Test func `report their profile`() async throws {
        let world = try await World(policy: #"{"pin": {"minimumDigits": 8}}"#)
        try await world.activate(pin: "27190538")
        let app = try world.app()
        let profile = try await app.profile()
        #expect(profile.account == (try .named("4711")))
        #expect(profile.pinPolicy.digitCounts == 8...12)
        #expect(profile.authenticationTypes == [.userPIN])
        #expect(profile.pinLock == nil)
        #expect(profile.isPINEnabled)
        try await world.bank.setPolicy(World.allowingConsent)
        try await world.lockPIN()
        let later = try await app.profile()
        #expect(later.pinPolicy.digitCounts == 6...12)
        #expect(later.authenticationTypes == [.consent, .userPIN])
        #expect(later.pinLock == .until(world.bank.clock.now + .seconds(1800)))
        #expect(try await app.enabledAuthenticationTypes() == [.consent, .userPIN])
    }

    @Test func `warn of an attached debugger, and only then (SEC-67)`() throws {
        let folder = try TemporaryFolder()
        let command = [BuiltProducts.path(of: "VaultProgram"), folder.path, "100", "warnings"]
        let alone = try FinishedProcess.run(command[0], Array(command.dropFirst()))
        let traced = try FinishedProcess.run("python3", ["-c", tracer] + command)
        #expect(alone.exitCode == 0 && traced.exitCode == 0)
        #expect(!alone.output.contains("debuggerAttached"))
        #expect(traced.output.contains("debuggerAttached"))
    }

    @Test func `have no other warnings`() async throws {
        let world = try await World()
        try await world.activate()
        #expect(try await !world.app().warnings().contains(.vaultOpenToOthers))
    }
}

/// Runs a program under ptrace(2), as a debugger does.
private let tracer = """
    import ctypes, os, signal, sys
    ptrace = ctypes.CDLL(None).ptrace
    trace_me, go_on = 0, 7

    process = os.fork()
    if process == 0:
        ptrace(trace_me, 0, None, None)
        os.execv(sys.argv[1], sys.argv[1:])

    while True:
        _, status = os.waitpid(process, 0)
        if not os.WIFSTOPPED(status):
            sys.exit(os.waitstatus_to_exitcode(status))
        stop = os.WSTOPSIG(status)
        ptrace(go_on, process, None, ctypes.c_void_p(0 if stop == signal.SIGTRAP else stop))
    """
