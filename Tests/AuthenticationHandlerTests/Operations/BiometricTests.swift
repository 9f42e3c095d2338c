import OneTimePassword
import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite(.timeLimit(.minutes(5))) struct `Biometrics` {
    private let home: Home
    private let server: ScriptedServer
    private let sensor: Sensor
    private let account: OpenAccount

    init() async throws {
        home = try Home()
        server = try ScriptedServer()
        sensor = try Sensor()
        account = try await home.addAccount(of: server) {
            $0.policy = DevicePolicy(
                pin: .default,
                authentication: .all,
                returnAddresses: []
            )
        }
    }

    private func handler() throws -> AuthenticationHandler {
        try home.handler(server, biometrics: sensor.program)
    }

    private func record() throws -> AccountRecord { try home.vault().accounts()[0].record }

    private var name: String { account.record.device.description }

    // MARK: Enabling and disabling

    private func expectStatus(biometric: CredentialPosition? = nil, id: CredentialID? = nil) {
        let user = CredentialStatus(
            id: account.record.user.id,
            kind: .user,
            position: CredentialPosition(
                generation: .first,
                epoch: .first,
                minimumCounter: Counter(0)
            ),
            isEnabled: true
        )
        var credentials = [user]
        if let biometric, let id {
            credentials.append(
                CredentialStatus(id: id, kind: .biometric, position: biometric, isEnabled: true)
            )
        }
        let status = StatusExchange.Response(
            account: account.record.account,
            credentials: credentials,
            policy: account.record.policy
        )
        server.then(StatusExchange.self, .done(status))
    }

    /// Opens the seed with the PIN's seed, as a verifier does, and stores it.
    private func expectRekey() async throws -> SeedBox {
        let box = SeedBox()
        let agreementKey = server.agreementKey
        let authority = try await account.userSeed(PIN.typed("271905")).withBytes { $0.array }
        server.then(RekeyExchange.self) { request in
            let session = try RekeySession(
                request.rekey.proposal,
                server: agreementKey,
                authority: CredentialSeed(SecureBytes(copying: authority.span)).unwrapped()
            )
            box.keep(try session.open(request.rekey.seed).unwrapped().withBytes { $0.array })
            return .done(NoContent())
        }
        return box
    }

    private func turnOn(_ pin: String = "271905") async throws {
        try await handler().enableBiometrics(pin: .typed(pin), for: nil)
    }

    @discardableResult
    private func turnedOn() async throws -> [UInt8] {
        expectStatus()
        let box = try await expectRekey()
        try await turnOn()
        return box.seed
    }

    @Test func `are enabled with the PIN, and the verifier gets their seed`()
        async throws
    {
        #expect(try await handler().enabledAuthenticationTypes() == [.consent, .userPIN])
        let seed = try await turnedOn()
        let credential = try #require(try record().biometric)
        let released = try sensor.key(name).unwrapped()
        let key = try BiometricKey(SecretBytes(copying: released.span)).unwrapped()
        let own = try home.vault().accounts()[0].biometricSeed(key)
        #expect(try own.unwrapped().withBytes { $0.array } == seed)
        #expect(credential.ingredients.generation == .first)
        #expect(
            try await handler().enabledAuthenticationTypes()
                == [.consent, .userPIN, .biometric]
        )
        let rekey = try RekeyExchange.Request(reading: server.requests[1].message.body)
        let question = try rekey.rekey.question()
        let user = try home.vault().accounts()[0]
        let codes = try InBandCodes(
            of: user.record.context(.user, of: user.record.user),
            seed: try await user.userSeed(PIN.typed("271905"))
        )
        let envelope = rekey.envelope
        #expect(
            try codes.matches(envelope.code.code, question, in: .first, at: envelope.counter)
        )
    }

    @Test func `need key, share and store secret together (SEC-47)`()
        async throws
    {
        let seed = try await turnedOn()
        let account = try home.vault().accounts()[0]
        let key = try sensor.key(name).unwrapped()
        func derivedSeed(by account: OpenAccount, _ key: [UInt8]) throws -> [UInt8] {
            let key = try BiometricKey(SecretBytes(copying: key.span)).unwrapped()
            return try account.biometricSeed(key).unwrapped().withBytes { $0.array }
        }
        #expect(try derivedSeed(by: account, key) == seed)
        #expect(try derivedSeed(by: account, key.map { ~$0 }) != seed)
        let secrets = try DeviceSecrets.random(P256.PrivateKey(), by: .system)
        let elsewhere = OpenAccount(record: account.record, secrets: secrets)
        #expect(try derivedSeed(by: elsewhere, key) != seed)
        var other = account
        other.record.biometric?.ingredients = try .random(.first, in: Dependencies())
        #expect(try derivedSeed(by: other, key) != seed)
    }

    /// The share in the vault is useless without the key, and the secret store contains nothing.
    @Test func `keep their key only in the provider`() async throws {
        try await turnedOn()
        let key = try sensor.key(name).unwrapped()
        for (_, contents) in try home.contents() {
            #expect(Array(contents).firstRange(of: key) == nil)
        }
    }

    @Test func `continue the generation that the verifier has`() async throws {
        let id = try CredentialID.random()
        let position = CredentialPosition(
            generation: Generation(4),
            epoch: .first,
            minimumCounter: Counter(17)
        )
        expectStatus(biometric: position, id: id)
        _ = try await expectRekey()
        try await turnOn()
        let credential = try #require(try record().biometric)
        #expect(credential.id == id)
        #expect(credential.ingredients.generation == Generation(5))
        #expect(credential.counter == Counter(17))
    }

    @Test(
        arguments: [
            (.authenticationFailed(attemptsLeft: 4), .authenticationFailed),
            (.serverUnavailable, .serverUnavailable), (nil, .responseMissing),
        ] as [(Problem?, ErrorCode)]
    )
    func `stay disabled and lose their key if the verifier refuses`(
        _ problem: Problem?,
        _ code: ErrorCode
    ) async throws {
        expectStatus()
        if let problem {
            for _ in 0..<2 { server.then(RekeyExchange.self, .refused(problem)) }
        } else {
            for _ in 0..<2 { server.thenLoseTheResponse() }
        }
        let error = await #expect(throws: AuthenticationError.self) { try await turnOn("271906") }
        #expect(error?.code == code)
        #expect(try record().biometric == nil)
        #expect(sensor.key(name) == nil)
    }

    /// Another key with the old share would compute wrong codes, which count.
    @Test(arguments: ["failure\n", nil])
    func `are disabled while they are enabled again`(_ refusal: String?) async throws {
        try await turnedOn()
        if let refusal { try sensor.setResponse(refusal) }
        expectStatus()
        for _ in 0..<2 { server.thenLoseTheResponse() }
        let error = await #expect(throws: AuthenticationError.self) { try await turnOn() }
        #expect(error?.code == (refusal == nil ? .responseMissing : .biometricFailed))
        #expect(try await handler().enabledAuthenticationTypes() == [.consent, .userPIN])
        #expect(try record().biometric == nil)
        #expect(try sensor.requests().last == "delete \(name)")
        server.forget()
        if refusal != nil { try sensor.recognise() }
        try await turnedOn()
        #expect(try record().biometric != nil)
    }

    @Test func `do not change while another change is running`()
        async throws
    {
        try await turnedOn()
        let (record, key) = (try record(), sensor.key(name))
        let change = try await home.vault().change()
        let handler = try handler()
        let task = Task {
            let pin = try PIN.typed("271905")
            try await handler.enableBiometrics(pin: pin, for: nil)
        }
        // The second operation does not wait for the first.
        task.cancel()
        let error = await #expect(throws: AuthenticationError.self) { try await task.value }
        #expect(error?.code == .vaultLocked)
        #expect(error?.cause == "the operation was cancelled")
        change.end()
        #expect(try self.record() == record)
        #expect(sensor.key(name) == key)
    }

    @Test func `are not enabled by a person who is not recognised`() async throws {
        try sensor.setResponse("failure\n")
        expectStatus()
        let error = await #expect(throws: AuthenticationError.self) { try await turnOn() }
        #expect(error?.code == .biometricFailed)
        #expect(server.requests.count == 1)
        #expect(try record().biometric == nil)
    }

    @Test func `are not enabled if the bank does not allow them`() async throws {
        try await turnedOn()
        try await home.change { $0.policy = .sample }
        server.thenTellStatus(of: try home.vault().accounts()[0])
        let requests = try sensor.requests()
        let error = await #expect(throws: AuthenticationError.self) { try await turnOn() }
        #expect(error?.code == .authenticationTypeNotAllowed)
        #expect(try sensor.requests() == requests)
        #expect(try record().biometric != nil)
    }

    @Test func `are disabled on the device and at the verifier`() async throws {
        try await turnedOn()
        server.then(BiometricRemovalExchange.self, .done(NoContent()))
        try await handler().disableBiometrics(for: nil)
        #expect(try record().biometric == nil)
        #expect(sensor.key(name) == nil)
        #expect(server.requests.last?.message.targetURI.hasSuffix("biometric/removal") == true)
    }

    @Test
    func `are disabled on the device if the request fails, and a repeat notifies the verifier`()
        async throws
    {
        try await turnedOn()
        for _ in 0..<2 { server.thenLoseTheResponse() }
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler().disableBiometrics(for: nil)
        }
        #expect(error?.code == .responseMissing)
        #expect(try record().biometric == nil)
        server.then(BiometricRemovalExchange.self, .done(NoContent()))
        try await handler().disableBiometrics(for: nil)
    }

    @Test func `are deleted with their account`() async throws {
        try await turnedOn()
        server.then(DeletionExchange.self, .done(NoContent()))
        _ = try await handler().deleteAccount(account.record.name)
        #expect(sensor.key(name) == nil)
    }

    /// A crash can leave a key whose credential is not in the record.
    @Test func `are deleted with their account, even if it has no credential`() async throws {
        try await turnedOn()
        try await home.change { $0.biometric = nil }
        server.then(DeletionExchange.self, .done(NoContent()))
        _ = try await handler().deleteAccount(account.record.name)
        #expect(sensor.key(name) == nil)
    }

    @Test(arguments: [true, false])
    func `are deleted with a damaged account`(isReplaced: Bool) async throws {
        try await turnedOn()
        #expect(sensor.key(name) != nil)
        try home.vault().secretStore.delete(named: name)
        if isReplaced {
            let activation = try ScriptedActivation(of: ["4711"], at: server)
            _ = try await activation.activate(handler(), "271905")
        } else {
            _ = try await handler().deleteAccount(account.record.name)
        }
        #expect(sensor.key(name) == nil)
    }

    @Test func `are deleted with an account that a new activation replaces`() async throws {
        try await turnedOn()
        let activation = try ScriptedActivation(of: ["4711"], at: server)
        activation.respondToClaim()
        for _ in 1...2 { server.then(StatusExchange.self, .refused(.deviceRevoked)) }
        let verified = try await handler().verifyActivation(activation.inHand())
        #expect(verified.lostAccounts == [account.record.name])
        server.then(DeletionExchange.self, .refused(.deviceRevoked))
        activation.respondToCommit()
        #expect(try await handler().setPIN(.typed("271905"), for: verified).count == 1)
        #expect(sensor.key(name) == nil)
    }

    @Test func `are the only type that can be changed`()
        async throws
    {
        let handler = try handler()
        let before = try home.contents()
        func code(_ update: consuming AuthenticationTypeUpdate) async -> ErrorCode? {
            do throws(AuthenticationError) {
                try await handler.updateAuthenticationType(update, for: nil)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(await code(.turnOff(.userPIN)) == .pinCannotBeDisabled)
        #expect(await code(.turnOff(.consent)) == .invalidArgument)
        #expect(await code(.turnOn(.userPIN, pin: try .typed("271905"))) == .invalidArgument)
        #expect(await code(.turnOn(.consent, pin: try .typed("271905"))) == .invalidArgument)
        #expect(try home.contents() == before)
        #expect(server.requests.isEmpty)
    }

    // MARK: Use

    private func fetch(
        _ types: AuthenticationTypes = [.userPIN, .biometric],
        in handler: AuthenticationHandler
    ) async throws -> PendingTransaction {
        let transaction = try Transaction.sample(accepting: types)
        server.then(TransactionExchange.self, .done(.init(transaction: transaction)))
        return try await handler.pendingTransaction(id: "T-1", of: account.record.name)
    }

    @Test func `approve with a code of the biometric credential (SEC-41)`() async throws {
        let seed = try await turnedOn()
        let handler = try handler()
        let pending = try await fetch(in: handler)
        #expect(pending.authenticationTypes == [.userPIN, .biometric])
        server.then(DecisionExchange.self, .done(NoContent()))
        try await handler.approve(pending, with: .biometrics)
        let body = try #require(server.requests.last).message.body
        let request = try DecisionExchange.Request(reading: body)
        #expect(request.choice == .approve(.biometric))
        let record = try record()
        let codes = try InBandCodes(
            of: record.context(.biometric, of: record.biometric.unwrapped()),
            seed: CredentialSeed(SecureBytes(copying: seed.span)).unwrapped()
        )
        let envelope = request.envelope
        let question = InBandQuestion.decision(pending.hash, .approve, nil)
        #expect(
            try codes.matches(envelope.code.code, question, in: .first, at: envelope.counter)
        )
        #expect(record.biometric?.counter == envelope.counter.next)
    }

    @Test func `log in and sign the data`() async throws {
        try await turnedOn()
        let login = TransactionID(checked: "L-1")
        server.then(LoginExchange.self, .done(.init(login: login)))
        #expect(try await handler().logIn(with: .biometrics, signing: [1, 2, 3]) == "L-1")
        let body = try #require(server.requests.last).message.body
        let request = try LoginExchange.Request(reading: body)
        #expect(request.type == .biometric)
        let data: [UInt8] = [1, 2, 3]
        #expect(try request.dataDigest == HashAlgorithm.sha256.digest(of: data.span))
    }

    @Test func `approve the next transaction`() async throws {
        try await turnedOn()
        let list = TransactionListExchange.Response(transactions: [TransactionID(checked: "T-1")])
        server.then(TransactionListExchange.self, .done(list))
        let transaction = try Transaction.sample(accepting: .biometric)
        server.then(TransactionExchange.self, .done(.init(transaction: transaction)))
        server.then(DecisionExchange.self, .done(NoContent()))
        let result = try await handler().decideNextTransaction { _ in .approve(with: .biometrics) }
        #expect(result?.isApproved == true)
    }

    /// Biometrics up to the soft limit, then biometrics and PIN, then only the PIN.
    @Test(
        arguments: [
            ("failure", .biometricFailed, [.biometric]),
            ("soft-limit", .biometricFailed, [.userPIN, .biometric]),
            ("hard-limit", .biometricLockedOut, [.userPIN]),
            ("fallback", .biometricCancelled, [.userPIN]),
            ("cancelled", .biometricCancelled, [.biometric]),
            ("unavailable", .biometricUnavailable, [.userPIN]),
            ("nonsense", .biometricUnavailable, [.userPIN]),
        ] as [(String, ErrorCode, Set<AuthenticationType>)]
    )
    func `cost no attempt without a key, and report the types to offer`(
        _ word: String,
        _ code: ErrorCode,
        _ offered: Set<AuthenticationType>
    ) async throws {
        try await turnedOn()
        let handler = try handler()
        let pending = try await fetch(in: handler)
        let only = try await fetch([.biometric], in: handler)
        let requests = server.requests.count
        try sensor.setResponse(word + "\n")
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.approve(pending, with: .biometrics)
        }
        #expect(error?.code == code)
        #expect(error?.offeredTypes.map(Set.init) == offered)
        let login = await #expect(throws: AuthenticationError.self) {
            try await handler.logIn(with: .biometrics, signing: nil)
        }
        #expect(login == error)
        // Only types that the transaction accepts are offered.
        let other = await #expect(throws: AuthenticationError.self) {
            try await handler.approve(only, with: .biometrics)
        }
        #expect(other?.offeredTypes.map(Set.init) == offered.subtracting([.userPIN]))
        #expect(server.requests.count == requests)
    }

    @Test func `are no longer enabled if their key is gone`() async throws {
        try await turnedOn()
        let handler = try handler()
        let pending = try await fetch(in: handler)
        try sensor.setResponse("missing\n")
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.approve(pending, with: .biometrics)
        }
        #expect(error?.code == .biometricNotEnabled)
        #expect(error?.offeredTypes == [.userPIN])
        #expect(try await handler.enabledAuthenticationTypes() == [.consent, .userPIN])
    }

    @Test func `make a wrong code with another key, which the verifier counts`()
        async throws
    {
        try await turnedOn()
        _ = await sensor.program.makeKey(named: name)
        let handler = try handler()
        let pending = try await fetch(in: handler)
        server.then(DecisionExchange.self, .refused(.authenticationFailed(attemptsLeft: 4)))
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.approve(pending, with: .biometrics)
        }
        #expect(error?.attemptsLeft == 4)
    }

    @Test func `do not prompt the person if the transaction does not accept them`() async throws {
        try await turnedOn()
        let requests = try sensor.requests()
        let handler = try handler()
        let pending = try await fetch([.userPIN], in: handler)
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.approve(pending, with: .biometrics)
        }
        #expect(error?.code == .authenticationTypeNotAllowed)
        #expect(try sensor.requests() == requests)
    }

    @Test func `are not offered if they are disabled or unavailable`() async throws {
        let off = try handler()
        var pending = try await fetch(in: off)
        #expect(pending.authenticationTypes == [.userPIN])
        var error = await #expect(throws: AuthenticationError.self) {
            try await off.approve(pending, with: .biometrics)
        }
        #expect(error?.code == .biometricNotEnabled)
        error = await #expect(throws: AuthenticationError.self) {
            try await off.logIn(with: .biometrics, signing: nil)
        }
        #expect(error?.code == .biometricNotEnabled)

        try await turnedOn()
        let absent = try home.handler(server)
        pending = try await fetch(in: absent)
        #expect(pending.authenticationTypes == [.userPIN])
        #expect(try await absent.enabledAuthenticationTypes() == [.consent, .userPIN])
        error = await #expect(throws: AuthenticationError.self) {
            try await absent.approve(pending, with: .biometrics)
        }
        #expect(error?.code == .biometricUnavailable)
        error = await #expect(throws: AuthenticationError.self) {
            let pin = try PIN.typed("271905")
            try await absent.enableBiometrics(pin: pin, for: nil)
        }
        #expect(error?.code == .biometricUnavailable)
    }
}
