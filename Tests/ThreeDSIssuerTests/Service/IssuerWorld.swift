import BankIntegration
import Cryptography
import JOSE
import PrivateFiles
import Sealing
import Storage
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import Transactions
import VerifierWorld

@testable import ThreeDSIssuer

/// An ACS over a real store, with a clock, a verifier and a directory that a test controls.
final class IssuerWorld: Sendable {
    let verifier: ModelVerifier
    let directory: ModelDirectory
    let service: IssuerService
    let store: IssuerStore
    let database: any Database
    let signingKey: P256.PrivateKey
    private let allRefusals = LockedValue<[String]>([])
    private let place: TestStore
    private let time: LockedValue<UInt64>
    private let keys: KeyRing
    private let settings: IssuerSettings
    private let webhook: Webhook?

    convenience init(
        notifying webhook: Webhook? = nil,
        _ change: (inout IssuerSettings) -> Void = { _ in }
    ) async throws {
        try await self.init(over: { $0 }, notifying: webhook, change)
    }

    /// An ACS over another view of its store.
    static func over(_ view: (any Database) -> any Database) async throws -> IssuerWorld {
        try await IssuerWorld(over: view, notifying: nil) { _ in }
    }

    private convenience init(
        over view: (any Database) -> any Database,
        notifying webhook: Webhook?,
        _ change: (inout IssuerSettings) -> Void
    ) async throws {
        let place = try TestStore(.current, migrations: IssuerSchema.migrations)
        let database = view(try place.open(migrations: IssuerSchema.migrations))
        let keys = try Self.keys()
        try await IssuerStore.complete(database, under: keys)
        var settings = IssuerSettings()
        change(&settings)
        try await self.init(
            database,
            in: place,
            keys,
            settings,
            notifying: webhook,
            signingBy: P256.PrivateKey(),
            ModelVerifier(),
            ModelDirectory(),
            LockedValue(1_795_000_000_000)
        )
    }

    /// The same store, in another process.
    convenience init(restarting world: IssuerWorld) async throws {
        await world.database.close()
        try await self.init(joining: world)
    }

    /// Another node on the same store.
    convenience init(joining world: IssuerWorld) async throws {
        try await self.init(
            world.place.open(migrations: IssuerSchema.migrations),
            in: world.place,
            world.keys,
            world.settings,
            notifying: world.webhook,
            signingBy: world.signingKey,
            world.verifier,
            world.directory,
            world.time
        )
    }

    private init(
        _ database: any Database,
        in place: TestStore,
        _ keys: KeyRing,
        _ settings: IssuerSettings,
        notifying webhook: Webhook?,
        signingBy signingKey: P256.PrivateKey,
        _ verifier: ModelVerifier,
        _ directory: ModelDirectory,
        _ time: LockedValue<UInt64>
    ) async throws {
        (self.database, self.place, self.keys) = (database, place, keys)
        (self.settings, self.signingKey, self.webhook) = (settings, signingKey, webhook)
        (self.verifier, self.directory, self.time) = (verifier, directory, time)
        store = try await IssuerStore(database, under: keys)
        service = IssuerService(
            store,
            asking: verifier.client,
            for: [
                try ServedDirectory(
                    SampleWorld.directory(),
                    signer: JWS.Signer(.es256(signingKey)),
                    clientKeys: [],
                    sendingResultsTo: { directory.sender(to: $0) }
                ) { request async throws(ServedDirectory.ResultFailure) in
                    await directory.waitWhileHeld()
                    return try directory.response(to: request)
                }
            ],
            at: ChallengeAddresses(origin: "https://acs.example", isSandbox: false),
            by: settings,
            notifying: webhook,
            clock: { Timestamp(milliseconds: time.withLock { $0 }) ?? .earliest },
            observer: IssuerObserver { [allRefusals] event in
                switch event {
                case .verifierFailed(.otherEnterprise, _, let card):
                    allRefusals.withLock { $0.append("\(card?.text ?? "no card") otherEnterprise") }
                case .resultRefused(let id, let code), .resultUnacknowledged(let id, let code, _):
                    allRefusals.withLock { $0.append("\(id) \(code)") }
                case .errorReceived(let id, let code, let endsChallenge):
                    allRefusals.withLock { $0.append("\(id) \(code) \(endsChallenge)") }
                default: break
                }
            }
        )
    }

    private static func keys() throws -> KeyRing {
        let bytes = try SecureBytes.random(count: 32)
        let key = KeyEncryptionKeys.Key(version: 1, bytes: bytes)
        let keys = try #require(key.flatMap { KeyEncryptionKeys([$0]) })
        return KeyRing(keys)
    }

    /// The results that the directory refused or did not acknowledge, and its errors about
    /// authentications, each with its code.
    ///
    /// Also the cards whose account is one of another enterprise.
    var refusals: [String] { allRefusals.withLock { $0 } }

    func advance(seconds: Int) { time.withLock { $0 += UInt64(seconds) * 1000 } }

    /// Corrects a clock that was ahead.
    func setBack(seconds: Int) { time.withLock { $0 -= UInt64(seconds) * 1000 } }

    /// Adds the card of the sample requests, or another one.
    @discardableResult
    func addCard(
        _ digits: String = SampleRequest.number,
        named name: String = "card-1",
        isBlocked: Bool = false
    ) async throws -> Card {
        let number = try #require(try CardNumber(Array(digits.utf8).span))
        let fingerprint = try number.fingerprint(store.secrets.cardKey())
        let reference = try #require(CardReference(name))
        let account = try #require(CardAccount("bank/main/4711"))
        let card = try #require(
            Card(
                reference: reference,
                digest: fingerprint.digest,
                lastFour: fingerprint.lastFour,
                account: account,
                isBlocked: isBlocked
            )
        )
        let store = store
        let isAdded = try await database.write { connection throws(StoreFailure) in
            try store.cards(connection).add(StoredCard(card))
        }
        #expect(isAdded)
        return card
    }

    /// Sends an AReq, and returns the response.
    func send(_ request: SampleRequest) async throws -> [UInt8]? {
        let served = try #require(service.directories.values.first)
        return try await service.response(to: Array(request.document.utf8), from: served)?.body
    }

    /// The members of the response to an AReq.
    func answer(_ request: SampleRequest) async throws -> JSONValue {
        let response = try #require(try await send(request))
        return try JSONValue(reading: response, limits: .message)
    }

    /// One round of the background work.
    func work() async throws {
        try await service.orderTransactions()
        try await service.withdrawTransactions()
        _ = try await service.followTransactions(waiting: 0)
        try await service.readClocks()
        for result in try await service.takeResults() { await service.deliver(result) }
    }
}

/// A directory server that gets results.
final class ModelDirectory: Sendable {
    private struct State {
        var isReachable = true
        var isHeld = false
        var heldCount = 0
        var status = "01"
        var error: String?
        /// The elements of an error message that it has another value of, or does not have.
        var changes: [String: JSONValue?] = [:]
        var results: [JSONValue] = []
        var errors: [JSONValue] = []
        var losesErrors = false
        /// The only `dsURL` to which results are sent.
        var allowedURL: String?
        /// The messages that were sent there.
        var messagesAtURL = 0
        /// The response to results, instead of a message that fits.
        var reply: ResultReply?
    }

    private let state = LockedValue(State())

    func set(isReachable: Bool) { state.withLock { $0.isReachable = isReachable } }

    /// Whether each result waits for its response.
    func set(isHeld: Bool) { state.withLock { ($0.isHeld, $0.heldCount) = (isHeld, 0) } }

    /// The number of results that wait.
    var heldCount: Int { state.withLock { $0.heldCount } }

    func waitWhileHeld() async {
        guard state.withLock({ $0.isHeld }) else { return }
        state.withLock { $0.heldCount += 1 }
        // A test that waits too long fails by itself.
        try? await waitUntil { !self.state.withLock { $0.isHeld } }
    }

    /// Has results sent to this `dsURL`, if an AReq has it.
    func allow(_ url: String?) { state.withLock { $0.allowedURL = url } }

    /// The number of results and error messages that were sent to a `dsURL`.
    var messagesAtURL: Int { state.withLock { $0.messagesAtURL } }

    func sender(to url: String) -> ServedDirectory.Sender? {
        guard state.withLock({ $0.allowedURL == url }) else { return nil }
        return { [self] message async throws(ServedDirectory.ResultFailure) in
            state.withLock { $0.messagesAtURL += 1 }
            return try response(to: message)
        }
    }

    /// Responds to results with this `resultsStatus`.
    func respond(withStatus status: String) { state.withLock { $0.status = status } }

    /// Responds to results with an error message; nil ends that.
    func respond(withError code: String?, _ changes: [String: JSONValue?] = [:]) {
        state.withLock { ($0.error, $0.changes) = (code, changes) }
    }

    /// Responds to results with these bytes, or does not respond; nil ends that.
    func respond(with reply: ResultReply?) { state.withLock { $0.reply = reply } }

    /// Loses the error messages of the ACS from now on.
    func loseErrors() { state.withLock { $0.losesErrors = true } }

    /// The error messages of the ACS that arrived.
    var errors: [JSONValue] { state.withLock { $0.errors } }

    /// All results that arrived, each as often as it was sent.
    var results: [JSONValue] { state.withLock { $0.results } }

    func response(
        to request: [UInt8]
    ) throws(ServedDirectory.ResultFailure) -> [UInt8] {
        // The ACS writes JSON: `try?`.
        guard let message = try? JSONValue(reading: request, limits: .message) else {
            throw .init("not JSON")
        }
        let isError = message["messageType"]?.text == "Erro"
        let (isReachable, reply) = state.withLock { state in
            guard state.isReachable, !isError || !state.losesErrors else {
                return (false, ResultReply?.none)
            }
            if isError { state.errors.append(message) } else { state.results.append(message) }
            return (true, state.reply)
        }
        guard isReachable else { throw .init("the connection failed") }
        if isError { return [] }
        if let reply { return try reply.get() }
        let names = [
            "messageVersion", "threeDSServerTransID", "dsTransID", "acsTransID", "sdkTransID",
        ]
        let members = names.compactMap { name in
            message[name].map { JSONValue.Member(name: name, value: $0) }
        }
        let (status, error, changes) = state.withLock { ($0.status, $0.error, $0.changes) }
        let texts =
            error.map { code in
                [
                    ("messageType", "Erro"), ("errorCode", code), ("errorComponent", "D"),
                    ("errorDescription", "failed"), ("errorDetail", "failed"),
                    ("errorMessageType", "RReq"),
                ]
            } ?? [("messageType", "RRes"), ("resultsStatus", status)]
        let own = texts.map { JSONValue.Member(name: $0, value: .string($1)) }
        let changed = (own + members).compactMap { member in
            changes[member.name, default: member.value].map {
                JSONValue.Member(name: member.name, value: $0)
            }
        }
        guard let response = try? JSONValue.object(changed).written() else {
            throw .init("not writable")
        }
        return response
    }
}
