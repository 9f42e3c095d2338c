import OneTimePassword
import PrivateFiles
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker keeps rows with their tags, and puts them back after the verifier changed them.
@Suite(.onEveryStore) struct `An earlier authentic row` {
    private let scene: ForgeryScene

    init() async throws {
        scene = try await ForgeryScene()
    }

    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let table: Table
        let change: @Sendable (ForgeryScene) async throws -> Void
        let use: @Sendable (ForgeryScene) async throws -> Void

        init(
            _ name: String,
            _ table: Table,
            change: @escaping @Sendable (ForgeryScene) async throws -> Void,
            use: @escaping @Sendable (ForgeryScene) async throws -> Void
        ) {
            (testDescription, self.table, self.change, self.use) = (name, table, change, use)
        }

        var isAboutCounterOrRevocation: Bool {
            ["credentials", "devices", "bank_tokens"].contains("\(table.name)")
        }
    }

    private static let attacks = [
        Attack("a counter before a used code", .credentials) { scene in
            try await scene.phone.checkPIN(in: scene.bank)
        } use: { scene in
            _ = try await scene.bank.verifier.devices(of: Bank.account)
        },
        Attack("a credential before its lock", .credentials) { scene in
            try await scene.phone.failUntilLocked(in: scene.bank)
        } use: { scene in
            try await scene.phone.checkPIN(at: Counter(9), in: scene.bank)
        },
        Attack("a device before its revocation", .devices) { scene in
            try await scene.bank.revoke(scene.phone)
        } use: { scene in
            _ = try await scene.bank.verifier.status(of: scene.phone.id)
        },
        Attack("a token before its revocation", .bankTokens) { scene in
            let name = BankTokenName(checked: "auditor")
            _ = try await scene.bank.verifier.revokeToken(named: name, by: .operatorCommand)
        } use: { scene in
            let name = BankTokenName(checked: "auditor")
            _ = try await scene.bank.verifier.revokeToken(named: name, by: .operatorCommand)
        },
        Attack("a login before it was redeemed", .logins) { scene in
            try await scene.redeem()
        } use: { scene in
            try await scene.redeem()
        },
        Attack("a payment before its rejection", .transactions) { scene in
            try await scene.phone.decide(.reject(.notMe), on: scene.payment, in: scene.bank)
        } use: { scene in
            _ = try await scene.bank.verifier.overview(of: scene.payment.id, of: Bank.account)
        },
        Attack("an account before it was unlinked", .accounts) { scene in
            let second = Bank.account("4714").key
            _ = try await scene.bank.verifier.unlink(second, from: Bank.account, by: Bank.core)
        } use: { scene in
            _ = try await scene.bank.verifier.overview(of: Bank.account("4714"))
        },
        Attack("a policy before a stricter one", .enterprises) { scene in
            try await scene.bank.verifier.setPolicy(
                #"{"devicesPerAccount": 1}"#,
                of: Bank.enterprise,
                by: Bank.core
            )
        } use: { scene in
            _ = try await scene.bank.pay()
        },
    ]

    @Test(arguments: attacks)
    func `SEC-04, SEC-101: is rejected by the node that saw the later one`(
        _ attack: Attack
    ) async throws {
        try scene.premises.keepRows(of: attack.table)
        try await attack.change(scene)
        try scene.premises.putBackRows(of: attack.table)
        let failure = await #expect(throws: (any Error).self) { try await attack.use(scene) }
        guard case Verifier.Failure.store(let reason)? = failure as? Verifier.Failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.isForgery)
    }

    /// The memory of a node ends with its process.
    @Test(arguments: attacks)
    func `is found by an audit after a restart`(_ attack: Attack) async throws {
        try scene.premises.keepRows(of: attack.table)
        try await attack.change(scene)
        await scene.bank.database.close()
        try scene.premises.putBackRows(of: attack.table)
        for withKeys in [true, false] {
            #expect(try await scene.premises.audit(withKeys: withKeys).findings != [])
        }
    }

    /// Until then it is authentic for a node that did not see the later one.
    @Test(arguments: attacks)
    func
        `SEC-04, SEC-101: is rejected after an audit, also by a node that did not see the later one`(
            _ attack: Attack
        ) async throws
    {
        var scene = scene
        try scene.premises.keepRows(of: attack.table)
        try await attack.change(scene)
        try scene.premises.putBackRows(of: attack.table)
        scene.bank.use(scene.bank.verifier(over: scene.bank.database))
        let audit = try scene.premises.backgroundAudit(of: scene.bank)
        try await audit.run()
        let failure = await #expect(throws: (any Error).self) { try await attack.use(scene) }
        guard case Verifier.Failure.store(let reason)? = failure as? Verifier.Failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.isForgery)
    }

    /// A command of an operator is another node, too.
    @Test(arguments: attacks.filter { ["devices", "bank_tokens"].contains("\($0.table.name)") })
    func `SEC-101: is rejected by a node after it has read of the revocation by another one`(
        _ attack: Attack
    ) async throws {
        var scene = scene
        let node = scene.bank.verifier(over: scene.bank.database)
        _ = try await node.countAlarms()
        try scene.premises.keepRows(of: attack.table)
        try await attack.change(scene)
        _ = try await node.countAlarms()
        try scene.premises.putBackRows(of: attack.table)
        scene.bank.use(node)
        let failure = await #expect(throws: (any Error).self) { try await attack.use(scene) }
        guard case Verifier.Failure.store(let reason)? = failure as? Verifier.Failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.isForgery)
    }

    @Test func `is accepted again after an audit that finds no fault`() async throws {
        let memory = StoreMemory()
        let key = [SQLValue(1)]
        memory.distrust(["devices id=1"])
        #expect(memory.view().distrusts(.device, key))
        #expect(!memory.view().distrusts(.device, [SQLValue(11)]))
        memory.distrust([])
        #expect(!memory.view().distrusts(.device, key))
    }

    @Test func `a revoked token is not a token again`() async throws {
        try scene.premises.keepRows(of: .bankTokens)
        let name = BankTokenName(checked: "auditor")
        #expect(try await scene.bank.verifier.revokeToken(named: name, by: .operatorCommand))
        try scene.premises.putBackRows(of: .bankTokens)
        #expect(try await scene.bank.verifier.token(shown: scene.auditorToken) == nil)
        try await scene.bank.verifier.recordForgeries()
        #expect(try await scene.bank.count(of: .rowForged) == 1)
    }

    private static func row(_ version: UInt64) -> KnownRow {
        KnownRow(version: version, digests: [])
    }

    /// Otherwise a code would be accepted twice.
    @Test func `SEC-04: is rejected if it was put back between the read and the write of a call`()
        async throws
    {
        let (bank, premises) = (scene.bank, scene.premises)
        let code = try await scene.phone.attempt(over: .pinCheck, in: bank)
        let node = LockedValue<Verifier?>(nil)
        let between = try LockedValue<Attempt?>(code.withNewID())
        let verifier = bank.verifier(interleaving: {
            guard
                let other = between.withLock({ attempt in
                    defer { attempt = nil }
                    return attempt
                })
            else { return }
            try premises.keepRows(of: .credentials)
            let result = try await node.withLock({ $0 }).unwrapped().checkPIN(other)
            #expect(result == .accepted(nil))
            try premises.putBackRows(of: .credentials)
        })
        node.withLock { $0 = verifier }
        let failure = await #expect(throws: Verifier.Failure.self) {
            _ = try await verifier.checkPIN(code)
        }
        guard case .store(let reason)? = failure else { throw Bank.Unexpected() }
        #expect(reason.isForgery)
    }

    /// A slow reader must not be an alarm.
    @Test func `is accepted in a transaction that began before the later one`() async throws {
        let memory = StoreMemory()
        let name = RowName(.device, [SQLValue(1)])
        let early = memory.view()
        memory.remember([(name, Self.row(7))])
        #expect(early.find(name)?.minimumVersion == nil)
        #expect(memory.view().find(name)?.minimumVersion == 7)
    }

    @Test(arguments: [TaggedPart.device, .credential, .transaction, .verifier])
    func `SEC-04: does not replace the later one in the memory of a node`(_ part: TaggedPart) {
        let memory = StoreMemory(maximumRows: 2_000, maximumLastingRows: 2_000)
        let name = Self.name(-1, part)
        memory.remember([(name, Self.row(7))])
        memory.remember([(name, Self.row(5))])
        #expect(memory.view().find(name)?.minimumVersion == 7)
        // Also if the later one was not used for long.
        Self.remember(0..<1_000, part, in: memory)
        memory.remember([(name, Self.row(6))])
        #expect(memory.view().find(name)?.minimumVersion == 7)
        memory.remember([(name, Self.row(8))])
        #expect(memory.view().find(name)?.minimumVersion == 8)
    }

    /// The reader remembers the row that it saw, after a later one was committed.
    ///
    /// The node is new: otherwise it would know the earlier row already.
    @Test func `SEC-04: is rejected by a node with a reader that began before the later one`()
        async throws
    {
        let verifier = scene.bank.verifier(over: scene.bank.database)
        var bank = scene.bank
        bank.use(verifier)
        let phone = scene.phone
        try scene.premises.keepRows(of: .credentials)
        let point = StopPoint()
        let reading = Task {
            try await verifier.read { ledger throws(StoreFailure) in
                let state = try ledger.credentialState(.user, on: phone.id)
                point.stop()
                return state?.credential.counter
            }
        }
        await point.waitUntilReached()
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        let counter = try await bank.credential(of: phone).credential.counter
        point.resume()
        #expect(try await reading.value.map { $0 < counter } == true)
        try scene.premises.putBackRows(of: .credentials)
        let failure = await #expect(throws: Verifier.Failure.self) {
            _ = try await verifier.devices(of: Bank.account)
        }
        guard case .store(let reason)? = failure else { throw Bank.Unexpected() }
        #expect(reason.isForgery)
    }

    /// Another row of a customer.
    private static func name(_ number: Int, _ part: TaggedPart = .transaction) -> RowName {
        RowName(part, [SQLValue(number)])
    }

    private static func remember(_ numbers: Range<Int>, _ part: TaggedPart, in memory: StoreMemory)
    {
        memory.remember(numbers.map { (name($0, part), row(1)) })
    }

    @Test func `is forgotten only after many other rows`() {
        let half = 10_000
        let memory = StoreMemory(maximumRows: 2 * half)
        memory.remember([(Self.name(-1), Self.row(7))])
        Self.remember(0..<(half - 1), .transaction, in: memory)
        #expect(memory.view().find(Self.name(-1))?.minimumVersion == 7)
        // Its use counts, too.
        Self.remember(half..<(2 * half), .transaction, in: memory)
        #expect(memory.view().find(Self.name(-1))?.minimumVersion == 7)
        Self.remember((2 * half)..<(4 * half), .transaction, in: memory)
        #expect(memory.view().find(Self.name(-1)) == nil)
        #expect(memory.view().find(Self.name(4 * half - 1)) != nil)
    }

    @Test(arguments: [TaggedPart.device, .credential, .failures, .bankToken])
    func `SEC-04: is forgotten much later if it is a counter, a lock, a device or a token`(
        _ part: TaggedPart
    ) {
        let half = 10_000
        let memory = StoreMemory(maximumRows: 2, maximumLastingRows: 2 * half)
        let name = Self.name(-1, part)
        let early = memory.view()
        memory.remember([(name, Self.row(7))])
        Self.remember(0..<half, .transaction, in: memory)
        Self.remember(0..<(half - 1), part, in: memory)
        #expect(memory.view().find(name)?.minimumVersion == 7)
        #expect(early.find(name)?.minimumVersion == nil)
        Self.remember(half..<(3 * half), part, in: memory)
        #expect(memory.view().find(name)?.minimumVersion == nil)
    }

    /// A busy node uses as many other rows in minutes.
    @Test(arguments: attacks.filter(\.isAboutCounterOrRevocation))
    func `SEC-04, SEC-101: is rejected by a node that used many other rows since`(
        _ attack: Attack
    ) async throws {
        try scene.premises.keepRows(of: attack.table)
        try await attack.change(scene)
        Self.remember(0..<StoreMemory.maximumRows, .transaction, in: scene.bank.verifier.memory)
        try scene.premises.putBackRows(of: attack.table)
        let failure = await #expect(throws: Verifier.Failure.self) { try await attack.use(scene) }
        guard case .store(let reason)? = failure else { throw Bank.Unexpected() }
        #expect(reason.isForgery)
    }
}
