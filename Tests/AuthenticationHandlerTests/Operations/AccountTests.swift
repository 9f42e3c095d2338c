import Foundation
import Glibc
import OneTimePassword
import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `Accounts of a device` {
    let home: Home
    let server: ScriptedServer

    init() throws {
        home = try Home()
        server = try ScriptedServer()
    }

    @Test func `do not exist before the first activation`() async throws {
        let handler = try home.handler(server)
        #expect(try await handler.accounts() == [])
        let hasPIN = try await handler.isPINSetUp
        #expect(!hasPIN)
    }

    @Test(arguments: ["", "/secrets", "/secrets/"])
    func `refuse secrets in the vault`(_ place: String) throws {
        let folder = try TemporaryFolder()
        #expect(throws: AuthenticationError(.invalidArgument)) {
            try AuthenticationHandler(
                vault: folder.path + "/vault/",
                secrets: SecretFolder(folder.path + "/vault" + place),
                deviceName: "Phone"
            )
        }
        _ = try AuthenticationHandler(
            vault: folder.path + "/vault",
            secrets: SecretFolder(folder.path + "/vault-secrets"),
            deviceName: "Phone"
        )
    }

    // MARK: Deletion

    private func delete(
        _ outcome: Outcome<DeletionExchange.Response>?
    ) async throws -> Deletion {
        let account = try await home.addAccount(of: server)
        if let outcome {
            server.then(DeletionExchange.self, outcome)
        } else {
            for _ in 0..<2 { server.thenLoseTheResponse() }
        }
        return try await home.handler(server).deleteAccount(account.record.name)
    }

    @Test func `are deleted on the device and at the verifier`() async throws {
        #expect(try await delete(.done(NoContent())) == .everywhere)
        #expect(try home.vault().devices().isEmpty)
    }

    @Test func `are deleted everywhere if the verifier no longer has them`() async throws {
        #expect(try await delete(.refused(.deviceRevoked)) == .everywhere)
        #expect(try home.vault().devices().isEmpty)
    }

    @Test func `are deleted on the device even if the verifier fails (SEC-48)`() async throws {
        let missing = AuthenticationError(.responseMissing)
        #expect(try await delete(nil) == .localOnly(missing))
        #expect(try home.contents().keys.allSatisfy { !$0.contains("account") })
    }

    @Test func `are not deleted if the person leaves before the request is sent`() async throws {
        let account = try await home.addAccount(of: server)
        for _ in 1...2 { server.thenBeCancelled(.unreachable) }
        let handler = try home.handler(server)
        let deletion = Task { try await handler.deleteAccount(account.record.name) }
        let failure = await #expect(throws: AuthenticationError.self) { try await deletion.value }
        #expect(failure?.code == .networkUnavailable)
        #expect(try home.vault().devices() == [account.record.device])
    }

    @Test func `are deleted on the device if the person leaves after the request is sent`()
        async throws
    {
        let account = try await home.addAccount(of: server)
        for _ in 1...2 { server.thenBeCancelled(.responseMissing) }
        let handler = try home.handler(server)
        let deletion = Task { try await handler.deleteAccount(account.record.name) }
        let missing = AuthenticationError(.responseMissing)
        #expect(try await deletion.value == .localOnly(missing))
        #expect(try home.vault().devices().isEmpty)
    }

    @Test func `are not deleted while another operation changes them`() async throws {
        let account = try await home.addAccount(of: server)
        let change = try await home.vault().change()
        let handler = try home.handler(server)
        let deletion = Task { try await handler.deleteAccount(account.record.name) }
        deletion.cancel()
        let failure = await #expect(throws: AuthenticationError.self) { try await deletion.value }
        #expect(failure?.code == .vaultLocked)
        #expect(server.requests.isEmpty)
        change.end()
        #expect(try home.vault().devices() == [account.record.device])
    }

    // MARK: Lost secrets

    /// Two accounts; the secrets of the first are lost.
    private func loseOne() async throws -> (lost: OpenAccount, other: OpenAccount) {
        let lost = try await home.addAccount("4711", of: server)
        let other = try await home.addAccount("4712", of: server)
        try home.vault().secretStore.delete(named: lost.record.device.description)
        return (lost, other)
    }

    @Test func `work while another account has lost its secrets`() async throws {
        let (lost, other) = try await loseOne()
        let handler = try home.handler(server)
        #expect(try await handler.accounts() == [other.record.name])
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.oneTimeCode(pin: .typed("271905"), for: lost.record.name)
        }
        #expect(error?.code == .deviceSecretMissing)
        let code = try await handler.oneTimeCode(pin: .typed("271905"), for: other.record.name)
        #expect(code.text.count == 8)
    }

    @Test func `report that all secrets are lost, and can be activated again`() async throws {
        let account = try await home.addAccount("4711", of: server)
        try home.vault().secretStore.delete(named: account.record.device.description)
        let handler = try home.handler(server)
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.accounts()
        }
        #expect(error?.code == .deviceSecretMissing)
        let activation = try ScriptedActivation(of: ["4711"], at: server)
        _ = try await activation.activate(handler, "271905")
        #expect(try await handler.accounts() == [account.record.name])
        #expect(try home.vault().accounts().count == 1)
    }

    @Test func `can be deleted if they are damaged`() async throws {
        let (lost, other) = try await loseOne()
        let gone = AuthenticationError(.deviceSecretMissing)
        let handler = try home.handler(server)
        let unusable = try await handler.unusableAccounts()
        #expect(unusable.map(\.account) == [lost.record.name])
        #expect(unusable.map(\.reason) == [.secretsMissing])
        #expect(try await handler.deleteAccount(lost.record.name) == .localOnly(gone))
        #expect(try home.vault().devices() == [other.record.device])
        #expect(try await handler.unusableAccounts().isEmpty)
    }

    @Test func `are deleted if they are active, even if a damaged one has the same name`()
        async throws
    {
        let lost = try await home.addAccount("4711", of: server)
        let active = try await home.addAccount("4711", of: server)
        try home.vault().secretStore.delete(named: lost.record.device.description)
        server.then(DeletionExchange.self, .done(NoContent()))
        let handler = try home.handler(server)
        #expect(try await handler.deleteAccount(active.record.name) == .everywhere)
        #expect(try home.vault().devices() == [lost.record.device])
        let gone = AuthenticationError(.deviceSecretMissing)
        #expect(try await handler.deleteAccount(active.record.name) == .localOnly(gone))
        #expect(try home.vault().devices() == [])
    }

    @Test func `are deleted by the file of a damaged one that has the name of an active one`()
        async throws
    {
        let lost = try await home.addAccount("4711", of: server)
        let active = try await home.addAccount("4711", of: server)
        try home.vault().secretStore.delete(named: lost.record.device.description)
        let handler = try home.handler(server)
        let unusable = try #require(try await handler.unusableAccounts().first)
        let gone = AuthenticationError(.deviceSecretMissing)
        #expect(try await handler.deleteAccount(unusable) == .localOnly(gone))
        #expect(try home.vault().devices() == [active.record.device])
        #expect(server.requests.isEmpty)
        await #expect(throws: AuthenticationError(.noAccountActivated)) {
            try await handler.deleteAccount(unusable)
        }
    }

    @Test(arguments: [nil, "references", "../secrets"] as [String?])
    func `are not deleted by a file that is not one of an unusable account`(
        _ name: String?
    ) async throws {
        let account = try await home.addAccount("4711", of: server)
        let usable = UnusableAccount(
            account: nil,
            fileName: name ?? account.record.device.fileName,
            reason: .damaged
        )
        let code = name == nil ? ErrorCode.accountAlreadyActivated : .noAccountActivated
        await #expect(throws: AuthenticationError(code)) {
            try await home.handler(server).deleteAccount(usable)
        }
        #expect(try home.vault().devices() == [account.record.device])
        #expect(server.requests.isEmpty)
    }

    @Test func `are not deleted at the verifier if the vault cannot be written`() async throws {
        let account = try await home.addAccount(of: server)
        let lock = home.vaultPath + "/lock"
        try #require(unlink(lock) == 0 && mkdir(lock, 0o700) == 0)
        server.then(DeletionExchange.self, .done(NoContent()))
        await #expect(throws: AuthenticationError(.vaultUnavailable)) {
            try await home.handler(server).deleteAccount(account.record.name)
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [0, 3, 100, 1 << 20])
    func `are listed by the name of their file if it has another length`(length: Int) async throws {
        let account = try await home.addAccount("4711", of: server)
        let other = try await home.addAccount("4712", of: server)
        let name = account.record.device.fileName
        try #require(truncate(home.vaultPath + "/" + name, length) == 0)
        let handler = try home.handler(server)
        let unusable = try await handler.unusableAccounts()
        #expect(unusable.map(\.account) == [nil])
        #expect(unusable.map(\.fileName) == [name])
        #expect(unusable.map(\.reason) == [.damaged])
        #expect(try await handler.accounts() == [other.record.name])
        let damaged = AuthenticationError(.vaultDamaged)
        #expect(try await handler.deleteAccount(unusable[0]) == .localOnly(damaged))
        #expect(try home.vault().devices() == [other.record.device])
        let secrets = home.vault().secretStore
        #expect(try secrets.secret(named: account.record.device.description) == nil)
    }

    @Test(arguments: [0, 1 << 20])
    func `work while the secret of another account has another length`(length: Int) async throws {
        let lost = try await home.addAccount("4711", of: server)
        let other = try await home.addAccount("4712", of: server)
        let name = lost.record.device.description
        try #require(truncate(home.secretsPath + "/" + name, length) == 0)
        server.then(TransactionListExchange.self, .done(.init(transactions: [])))
        let handler = try home.handler(server)
        #expect(try await handler.pendingTransaction() == nil)
        let unusable = try await handler.unusableAccounts()
        #expect(unusable.map(\.account) == [lost.record.name])
        #expect(unusable.map(\.reason) == [.secretsMissing])
        let gone = AuthenticationError(.deviceSecretMissing)
        #expect(try await handler.deleteAccount(lost.record.name) == .localOnly(gone))
        #expect(try home.vault().devices() == [other.record.device])
        #expect(try !home.contents().keys.contains { $0.contains(name) })
    }

    @Test func `cannot be activated twice`() async throws {
        let account = try await home.addAccount("4711", of: server)
        let activation = try ScriptedActivation(of: ["4711"], at: server)
        activation.respondToClaim()
        server.thenTellStatus(of: account)
        let handler = try home.handler(server)
        let error = await #expect(throws: AuthenticationError.self) {
            _ = try await handler.verifyActivation(activation.inHand())
        }
        #expect(error?.code == .accountAlreadyActivated)
    }

    /// The bank restored its server between the two activations.
    @Test func `of an activation with an unknown result are deleted if a later one is active`()
        async throws
    {
        let commit = SentCommit(
            activation: try .random(),
            claim: try HashAlgorithm.sha256.digest(of: [1].span),
            deviceKey: try P256.PrivateKey().publicKey
        )
        let pending = try await home.addAccount(of: server) { $0.state = .pending(commit) }
        let active = try await home.addAccount(of: server) { $0.place = 1 }
        server.thenTellStatus(of: pending)
        server.then(DeletionExchange.self, .done(NoContent()))
        server.then(TransactionListExchange.self, .done(.init(transactions: [])))
        let handler = try home.handler(server)
        #expect(try await handler.pendingTransaction() == nil)
        #expect(try home.vault().devices() == [active.record.device])
    }

    // MARK: Another account

    @Test(arguments: [true, false])
    func `need their PIN for another account, checked online`(_ isRight: Bool) async throws {
        let existing = try await home.addAccount("4711", of: server)
        let activation = try ScriptedActivation(of: ["4712"], at: server)
        activation.respondToClaim()
        for _ in 1...2 { server.thenTellStatus(of: existing) }
        let handler = try home.handler(server)
        let verified = try await handler.verifyActivation(activation.inHand())
        #expect(verified.existingAccount == existing.record.name)
        let wrong = Problem.authenticationFailed(attemptsLeft: 4)
        server.then(PINCheckExchange.self, isRight ? .done(NoContent()) : .refused(wrong))
        activation.respondToCommit()
        if isRight {
            let enrolled = try await handler.setPIN(.typed("271905"), for: verified)
            #expect(enrolled.map(\.account.id) == ["4712"])
        } else {
            let error = await #expect(throws: AuthenticationError.self) {
                try await handler.setPIN(.typed("271905"), for: verified)
            }
            #expect(error?.attemptsLeft == 4)
        }
        let ids = try home.vault().accounts().map(\.record.account.id.text)
        #expect(ids == (isRight ? ["4711", "4712"] : ["4711"]))
    }

    @Test func `SEC-108: name an account of the verifier, whose PIN check names the claim`()
        async throws
    {
        let existing = try await home.addAccount("4711", of: server)
        let activation = try ScriptedActivation(of: ["4712"], at: server)
        activation.respondToClaim()
        for _ in 1...2 { server.thenTellStatus(of: existing) }
        let handler = try home.handler(server)
        let verified = try await handler.verifyActivation(activation.inHand())
        server.then(PINCheckExchange.self, .done(NoContent()))
        activation.respondToCommit()
        _ = try await handler.setPIN(.typed("271905"), for: verified)
        let bodies = server.requests.map(\.message.body)
        let check = try PINCheckExchange.Request(reading: bodies[3])
        let commit = try ActivationCommit(reading: bodies[4])
        #expect(check.claimDigest == (try commit.submittedClaim.digest()))
        let sibling = ActivationCommit.Sibling(
            device: existing.record.device,
            attempt: check.envelope.attempt
        )
        #expect(commit.sibling == sibling)
    }

    @Test func `SEC-108: name no sibling at another enterprise, but check the PIN`() async throws {
        let existing = try await home.addAccount("4711", of: server)
        let activation = try ScriptedActivation(of: ["4711"], in: "other-bank", at: server)
        activation.respondToClaim()
        for _ in 1...2 { server.thenTellStatus(of: existing) }
        let handler = try home.handler(server)
        let verified = try await handler.verifyActivation(activation.inHand())
        server.then(PINCheckExchange.self, .done(NoContent()))
        activation.respondToCommit()
        _ = try await handler.setPIN(.typed("271905"), for: verified)
        let bodies = server.requests.map(\.message.body)
        #expect(try PINCheckExchange.Request(reading: bodies[3]).claimDigest == nil)
        #expect(try ActivationCommit(reading: bodies[4]).sibling == nil)
    }

    // MARK: Push

    @Test(arguments: [
        (Push.off, PushSetting.off), (.bankService, .events),
        (.fcm(token: "a:b"), .fcm(FCMToken("a:b") ?? { preconditionFailure("a token") }())),
    ])
    func `share one push setting`(_ push: Push, _ setting: PushSetting) async throws {
        _ = try await home.addAccount(of: server)
        server.then(PushExchange.self, .done(NoContent()))
        try await home.handler(server).setPush(push)
        let body = try #require(server.requests.last).message.body
        #expect(try PushExchange.Request(reading: body).setting == setting)
    }

    @Test func `reject a malformed push token`() async throws {
        _ = try await home.addAccount(of: server)
        let handler = try home.handler(server)
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.setPush(.fcm(token: "a b"))
        }
        #expect(error?.code == .invalidArgument)
    }

    // MARK: Profile

    @Test func `report their status at the verifier and update the vault`() async throws {
        let account = try await home.addAccount(of: server)
        let record = account.record
        let end = ScriptedServer.now + .seconds(1800)
        let status = CredentialStatus(
            id: record.user.id,
            kind: .user,
            position: CredentialPosition(
                generation: .first,
                epoch: Epoch(1),
                minimumCounter: Counter(50)
            ),
            isEnabled: true,
            lock: .until(end)
        )
        let policy = DevicePolicy(
            pin: .default,
            authentication: .userPIN,
            returnAddresses: []
        )
        server.then(
            StatusExchange.self,
            .done(.init(account: account.record.account, credentials: [status], policy: policy))
        )
        let profile = try await home.handler(server).profile()
        #expect(profile.pinLock == .until(end))
        #expect(profile.authenticationTypes == [.userPIN])
        #expect(profile.isPINEnabled)
        let kept = try home.vault().accounts()[0].record
        #expect(kept.user.counter == Counter(50))
        #expect(kept.user.epoch == Epoch(1))
        #expect(kept.policy == policy)
    }

    @Test func `reject a status whose counter is beyond the bound, and keep theirs (SEC-04)`()
        async throws
    {
        let account = try await home.addAccount(of: server)
        let status = CredentialStatus(
            id: account.record.user.id,
            kind: .user,
            position: CredentialPosition(
                generation: .first,
                epoch: Epoch(1),
                minimumCounter: Counter(8 + CredentialPosition.reach)
            ),
            isEnabled: true
        )
        let policy = account.record.policy
        server.then(
            StatusExchange.self,
            .done(.init(account: account.record.account, credentials: [status], policy: policy))
        )
        let error = await #expect(throws: AuthenticationError.self) {
            try await home.handler(server).profile()
        }
        #expect(error?.code == .counterOutOfStep)
        #expect(try home.vault().accounts()[0].record == account.record)
    }

    // MARK: Warnings

    @Test func `warn of a vault that other users can read, and only then (SEC-67)`() async throws {
        _ = try await home.addAccount(of: server)
        let handler = try home.handler(server)
        #expect(await !handler.warnings().contains(.vaultOpenToOthers))
        try #require(chmod(home.vaultPath, 0o755) == 0)
        #expect(await handler.warnings().contains(.vaultOpenToOthers))
    }

    @Test func `warn of a process that runs as root or may dump core (SEC-67)`() async throws {
        let warnings = try await home.handler(server).warnings()
        #expect(warnings.contains(.runsAsRoot) == (geteuid() == 0))
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
        #expect(warnings.contains(.coreDumpsOn) == (limit.rlim_cur > 0))
        #expect(!warnings.contains(.debuggerAttached))
    }

    /// dm-0 is encrypted, dm-1 is a volume on it; dm-2 is a volume on a disk, dm-3 one on both.
    @Test(
        arguments: [
            ("", false), ("/dev/zram0 partition\n/dev/dm-0 partition\n", false),
            ("/dev/dm-1 partition\n", false), ("/dev/dm-2 partition\n", true),
            ("/dev/dm-3 partition\n", true), ("/dev/sda2 partition\n", true),
            ("/dev/dm-0 partition\n/swapfile file\n", true),
        ]
    )
    func `warn of swap on a disk that is not encrypted (SEC-67)`(_ table: String, _ isPlain: Bool)
        throws
    {
        let folder = try TemporaryFolder()
        for (device, parts) in [
            ("dm-0", ["sda3"]), ("dm-1", ["dm-0"]), ("dm-2", ["sda2"]), ("dm-3", ["dm-0", "sda2"]),
        ] {
            for name in ["dm", "slaves"] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder.path)/\(device)/\(name)",
                    withIntermediateDirectories: true
                )
            }
            let id = device == "dm-0" ? "CRYPT-LUKS2-1234-swap" : "LVM-1234"
            _ = try folder.write(id + "\n", to: "\(device)/dm/uuid")
            for part in parts { _ = try folder.write("", to: "\(device)/slaves/\(part)") }
        }
        let table = "Filename Type\n" + table
        #expect(hasPlainSwap(in: table, devices: folder.path) == isPlain)
    }
}

@Suite struct `Errors of the library` {
    @Test func `are equal if their codes are equal`() {
        #expect(AuthenticationError(.vaultLocked, cause: "x") == AuthenticationError(.vaultLocked))
        #expect(AuthenticationError(.vaultLocked) != AuthenticationError(.vaultDamaged))
    }

    @Test func `contain only the details of their refusal`() {
        let locked = AuthenticationError(refusal: .credentialLocked(.never))
        #expect(locked.lock == .never)
        #expect(locked.attemptsLeft == nil)
        let decided = AuthenticationError(refusal: .transactionAlreadyDecided(.approved))
        #expect(decided.finalState == .approved)
    }

    @Test(arguments: FinalState.allCases)
    func `name the final state of a transaction`(_ state: FinalState) {
        let error = AuthenticationError(refusal: .transactionAlreadyDecided(state))
        for language in Language.allCases {
            let sentence = error.supportSentence(in: language)
            #expect(sentence != error.code.supportSentence(in: language))
            #expect(sentence.split(separator: "; ").count == 2 && sentence.hasSuffix("."))
        }
        #expect(error.description.contains("withdrew") == (state == .withdrawn))
    }

    /// The PIN of an account can have a typing error.
    @Test(arguments: ["27 1905", "12", String(repeating: "7", count: 65)])
    func `do not suggest another PIN after a typing error`(_ typed: String) throws {
        let error = #expect(throws: AuthenticationError.self) { _ = try PIN.typed(typed) }
        #expect(error?.code == .pinPolicy)
        #expect(error?.description.hasSuffix("type it again.") == true)
        #expect(error?.supportSentence(in: .german).hasSuffix("erneut ein.") == true)
    }

    @Test func `suggest another PIN if the policy does not allow it`() throws {
        let error = AuthenticationError(brokenRule: .sequence)
        #expect(error.description == ErrorCode.pinPolicy.supportSentence(in: .english))
    }

    @Test func `name the remedy of a permanent lock`() throws {
        let error = AuthenticationError(refusal: .credentialLocked(.never))
        #expect(error.description.hasSuffix("; ask the bank for a new activation."))
        let german = error.supportSentence(in: .german)
        #expect(german.hasSuffix("; fordern Sie eine neue Aktivierung an."))
        let end = try Timestamp(milliseconds: 0).unwrapped()
        let temporary = AuthenticationError(refusal: .credentialLocked(.until(end)))
        let sentence = ErrorCode.credentialLocked.supportSentence(in: .english)
        #expect(temporary.description == sentence)
    }

    @Test(arguments: [
        (Language.english, "so its result is unknown; ", "so nothing was sent; "),
        (.german, "daher ist das Ergebnis unbekannt; ", "daher wurde nichts gesendet; "),
    ])
    func `state an unknown result only if something was sent`(
        _ language: Language,
        _ unknown: String,
        _ unsent: String
    ) {
        for failure in [TrustFailure.connection, .response, .activation] {
            let error = AuthenticationError(failure, cause: "")
            let sentence = error.supportSentence(in: language)
            #expect(sentence.contains(failure == .response ? unknown : unsent), "\(sentence)")
            if language == .english { #expect(error.description == sentence) }
        }
        let other = AuthenticationError(.clockSkew)
        let sentence = ErrorCode.clockSkew.supportSentence(in: language)
        #expect(other.supportSentence(in: language) == sentence)
    }

    @Test func `name the verifier's response as the cause only if it refused`() {
        #expect(AuthenticationError(.deviceRevoked).cause.isEmpty)
        #expect(!AuthenticationError(refusal: .deviceRevoked).cause.isEmpty)
    }

    @Test(arguments: [
        (Vault.Failure.file(.locked), ErrorCode.vaultLocked),
        (.file(.cancelled), .vaultLocked),
        (.file(.full), .vaultUnavailable),
        (.file(.unsafe(.symbolicLink)), .vaultUnavailable),
        (.file(.foreign), .vaultUnavailable),
        (.exposed(ExposedFile(path: "/vault", isFolder: true)), .vaultUnavailable),
        (.record(.newer(version: 2)), .vaultUnavailable),
        (.record(.damaged), .vaultDamaged),
        (.secretsMissing, .deviceSecretMissing),
    ])
    func `suggest a new activation only if nothing else helps`(
        _ failure: Vault.Failure,
        _ code: ErrorCode
    ) {
        #expect(AuthenticationError(vault: failure).code == code)
    }
}
