import BankIntegration
import HTTPServer
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

private typealias BankOperation = VerifierServer.Configuration.BankOperation

/// An attacker has one valid token of the bank and knows every call, with its keys and responses.
@Suite(.onAnyStore, .described) struct `Calls that need a second person` {
    private let client: BankClient
    private let phone: Phone
    private var bank: Bank { client.bank }

    init() async throws {
        let bank = try await Bank(policy: #"{"minimumTokenDigits": 6}"#)
        phone = try await bank.activate()
        client = try await BankClient(bank, secondPerson: Set(BankOperation.allCases))
    }

    /// A call, and the token that makes it.
    private struct Call: Sendable {
        var method: String
        var target: String
        var content: String?
        var role = BankToken.Role.customerService
        /// Of all enterprises; needed to create one.
        var isEverywhere = false
        var key: String?
    }

    private func token(_ name: String, for call: Call) async throws -> String {
        let enterprise = call.isEverywhere ? nil : Bank.enterprise
        return BankClient.token(try await bank.makeToken(name, for: call.role, in: enterprise))
    }

    private func send(
        _ call: Call,
        showing token: String,
        confirming id: String? = nil
    ) async throws -> CompleteResponse {
        try await client.call(
            call.method,
            call.target,
            showing: token,
            call.content,
            key: call.key,
            confirming: id
        )
    }

    private var unlocking: Call {
        let path = BankClient.account + "/devices/\(phone.id)/credentials/user"
        return Call(method: "PUT", target: path + "/unlocking")
    }

    private var issuing: Call {
        Call(
            method: "POST",
            target: BankClient.account + "/activations",
            content: "{}",
            role: .issuer,
            key: "one"
        )
    }

    private func call(of operation: VerifierServer.Configuration.BankOperation) async throws -> Call
    {
        let device = BankClient.account + "/devices/\(phone.id)"
        let link = BankClient.account + "/links/main/4720"
        switch operation {
        case .createEnterprise:
            let target = "/bank/v1/enterprises/new"
            return Call(
                method: "PUT",
                target: target,
                content: "{}",
                role: .administrator,
                isEverywhere: true
            )
        case .setPolicy:
            let target = BankClient.enterprise + "/policy"
            return Call(method: "PUT", target: target, content: "{}", role: .administrator)
        case .addAccount:
            let target = BankClient.enterprise + "/accounts/main/4730"
            return Call(method: "PUT", target: target, role: .issuer)
        case .linkAccounts, .unlinkAccounts:
            let other = Bank.account("4720")
            _ = try await bank.verifier.addAccount(other, by: .operatorCommand)
            guard operation == .unlinkAccounts else {
                return Call(method: "PUT", target: link, role: .issuer)
            }
            _ = try await bank.verifier.link(Bank.account, to: other.key, by: .operatorCommand)
            return Call(method: "DELETE", target: link, role: .issuer)
        case .replaceAccount:
            let content = #"{"type":"main","id":"4740"}"#
            let target = BankClient.account + "/replacement"
            return Call(method: "PUT", target: target, content: content, role: .issuer)
        case .issueActivation: return issuing
        case .revokeDevice: return Call(method: "DELETE", target: device)
        case .enableDevice: return Call(method: "PUT", target: device + "/enabling")
        case .disableDevice: return Call(method: "DELETE", target: device + "/enabling")
        case .unlockCredential: return unlocking
        case .enableCredential:
            return Call(method: "PUT", target: device + "/credentials/user/enabling")
        case .disableCredential:
            return Call(method: "DELETE", target: device + "/credentials/user/enabling")
        case .resynchroniseDevice:
            let first = try await phone.typedCode(ahead: 50, in: bank)
            let second = try await phone.typedCode(ahead: 51, in: bank)
            let content = #"{"first":"\#(first)","second":"\#(second)"}"#
            let target = device + "/resynchronisation"
            return Call(method: "POST", target: target, content: content, key: "one")
        case .retryDelivery:
            let taken = try await bank.verifier.takeDeliveries(to: .webhook, limit: 1)
            let delivery = try #require(taken.first)
            for _ in 0..<Delivery.maximumTries {
                try await bank.verifier.note(.failed(jitter: 0), of: delivery)
            }
            let target = BankClient.enterprise + "/outbox/\(delivery.sequence)/webhook/retry"
            return Call(method: "PUT", target: target, role: .administrator)
        }
    }

    /// The records since a number of records, with the actor of each.
    private func records(after count: Int) async throws -> [AuditRecord] {
        try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: UInt64(count), limit: 100)
        }
    }

    @Test(arguments: VerifierServer.Configuration.BankOperation.allCases)
    func `SEC-123: each listed call has its effect once, after another token confirmed it`(
        _ operation: VerifierServer.Configuration.BankOperation
    ) async throws {
        var call = try await call(of: operation)
        let (first, second) = (try await token("a", for: call), try await token("b", for: call))
        let before = try await bank.events().count
        let requested = try await send(call, showing: first)
        #expect(requested.status == 202)
        #expect(requested["operation"] == operation.rawValue)
        let id = try requested["id"].unwrapped()
        #expect(requested["instruction"]?.hasSuffix("Confirms: \(id)") == true)
        #expect(requested["confirmed"] == nil)
        let alone = try await send(call, showing: first, confirming: id)
        #expect(alone.code == "confirmationBySameToken")
        let pending = try await records(after: before)
        #expect(pending.map(\.event.kind) == [.callRequested])
        #expect(pending.first?.event.subject == id)
        #expect(pending.first?.event.detail == operation.rawValue)
        #expect(pending.first?.actor.text == "token:a")

        let confirmed = try await send(call, showing: second, confirming: id)
        #expect([200, 201, 204].contains(confirmed.status), "\(confirmed.text)")
        let made = try await records(after: before + 1)
        #expect(made.first?.event.kind == .callConfirmed)
        #expect(made.first?.event.subject == id)
        #expect(made.first?.event.detail == "\(operation.rawValue) token:a")
        #expect(made.allSatisfy { $0.actor.text == "token:b" })
        // Unlocking and enabling change nothing here.
        let isIdle = [.unlockCredential, .enableCredential, .enableDevice].contains(operation)
        #expect(made.count >= (isIdle ? 1 : 2))

        if call.key != nil { call.key = "two" }
        let again = try await send(call, showing: second, confirming: id)
        #expect(again.code == "confirmationUsed")
        #expect(try await records(after: before + 1).count == made.count)
        let webhooks = try await bank.verifier.deliveries(
            .waiting,
            of: operation == .createEnterprise ? EnterpriseID(checked: "new") : Bank.enterprise,
            after: 0,
            limit: 100
        )
        #expect(webhooks.count { $0.delivery.subject == id } == 2)
    }

    @Test func `SEC-123: the second call must equal the first one, byte by byte`() async throws {
        let target = BankClient.enterprise + "/policy"
        let call = Call(method: "PUT", target: target, content: "{}", role: .administrator)
        let (first, second) = (try await token("a", for: call), try await token("b", for: call))
        let id = try await send(call, showing: first)["id"].unwrapped()
        var others = [call, call, call]
        others[0].content = "{} "
        others[1].target = "/bank/v1/enterprises/bank/policy?"
        others[1].content = #"{"lock": {"failures": 4}}"#
        others[2].target = BankClient.enterprise
        for other in others {
            let refused = try await send(other, showing: second, confirming: id)
            #expect([400, 412].contains(refused.status))
            if refused.status == 412 { #expect(refused.code == "confirmationOfOtherCall") }
        }
        #expect(try await bank.count(of: .policyChanged) == 0)
        #expect(try await bank.count(of: .callConfirmed) == 0)
        #expect(try await send(call, showing: second, confirming: id).status == 204)
    }

    @Test func `SEC-123: both tokens need role and reach`() async throws {
        let call = unlocking
        let first = try await token("a", for: call)
        var small = call
        small.role = .auditor
        let auditor = try await token("b", for: small)
        #expect(try await send(call, showing: auditor).code == "scopeMissing")
        let id = try await send(call, showing: first)["id"].unwrapped()
        #expect(try await send(call, showing: auditor, confirming: id).code == "scopeMissing")

        let other = EnterpriseID(checked: "other")
        try await bank.verifier.addEnterprise(other, policy: "{}", by: .operatorCommand)
        let foreign = BankClient.token(
            try await bank.makeToken("c", for: .customerService, in: other)
        )
        #expect(try await send(call, showing: foreign, confirming: id).status == 404)
        // The id of one enterprise is unknown in another one.
        let everywhere = BankClient.token(
            try await bank.makeToken("d", for: .customerService, in: nil)
        )
        var elsewhere = call
        elsewhere.target = call.target.replacing("/bank/accounts", with: "/other/accounts")
        let unknown = try await send(elsewhere, showing: everywhere, confirming: id)
        #expect(unknown.code == "confirmationUnknown")
        #expect(try await bank.count(of: .callConfirmed) == 0)
        #expect(try await send(call, showing: everywhere, confirming: id).status == 204)
    }

    @Test(arguments: [
        "", "x", String(repeating: "0", count: 32), String(repeating: "A", count: 32),
    ])
    func `SEC-123: an unknown id confirms nothing`(_ id: String) async throws {
        let refused = try await send(
            unlocking,
            showing: try await token("a", for: unlocking),
            confirming: id
        )
        #expect(refused.status == 412)
        #expect(refused.code == "confirmationUnknown")
    }

    @Test func `SEC-123: a call expires after a day, or with the token of the first person`()
        async throws
    {
        let call = unlocking
        let second = try await token("b", for: call)
        let leaver = try await token("leaver", for: call)
        let short = BankClient.token(
            try await bank.makeToken("short", for: call.role, lasting: .seconds(60 * 60))
        )
        let first = try await token("a", for: call)
        let left = try await send(call, showing: leaver)["id"].unwrapped()
        let ended = try await send(call, showing: short)["id"].unwrapped()
        let late = try await send(call, showing: first)["id"].unwrapped()
        let name = BankTokenName(checked: "leaver")
        _ = try await bank.verifier.revokeToken(named: name, by: .operatorCommand)
        bank.clock.advance(by: .seconds(2 * 60 * 60))
        for id in [left, ended] {
            let refused = try await send(call, showing: second, confirming: id)
            #expect(refused.code == "confirmationRequesterInvalid")
        }
        bank.clock.advance(by: .seconds(22 * 60 * 60))
        let refused = try await send(call, showing: second, confirming: late)
        #expect(refused.code == "confirmationExpired")
        #expect(try await bank.count(of: .callConfirmed) == 0)
        // A new request is another call.
        let new = try await send(call, showing: first)["id"]
        #expect(new != late)
    }

    @Test func `SEC-123: confirmations at the same time have one effect`() async throws {
        let call = issuing
        let first = try await token("a", for: call)
        let id = try await send(call, showing: first)["id"].unwrapped()
        var tokens: [String] = []
        for name in ["b", "c", "d", "e"] { tokens.append(try await token(name, for: call)) }
        // Two nodes with connections of their own.
        let database = try bank.openAgain()
        var other = bank
        other.use(bank.verifier(over: database))
        let node = try ServedBank(other).router(secondPerson: [.issueActivation])
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, token) in tokens.enumerated() {
                group.addTask {
                    let fields = [
                        Field("Authorization", token), Field("Content-Type", "application/json"),
                        Field("Idempotency-Key", "one"), Field("Confirms", id),
                    ]
                    let request = Request(
                        method: call.method,
                        target: call.target,
                        fields: fields,
                        body: Array("{}".utf8)
                    )
                    let router = index.isMultiple(of: 2) ? node : client.router
                    return await router.respond(to: request).status
                }
            }
            var statuses: [Int] = []
            for try await status in group { statuses.append(status) }
            return statuses
        }
        await database.close()
        // A client repeats a call to an unavailable node.
        #expect(statuses.count { $0 == 201 } == 1, "\(statuses)")
        #expect(statuses.allSatisfy { [201, 412, 503].contains($0) })
        #expect(try await bank.count(of: .callConfirmed) == 1)
        // The phone has the other one.
        #expect(try await bank.count(of: .activationIssued) == 2)
    }

    @Test func `SEC-123: both calls can be repeated`() async throws {
        let call = issuing
        let (first, second) = (try await token("a", for: call), try await token("b", for: call))
        let requested = try await send(call, showing: first)
        let id = try requested["id"].unwrapped()
        let repeated = try await send(call, showing: first)
        #expect(repeated["id"] == id)
        #expect(repeated.isReplayed && !requested.isReplayed)
        var other = call
        other.target = BankClient.enterprise + "/accounts/main/4720/activations"
        #expect(try await send(other, showing: first).code == "idempotencyKeyReused")
        #expect(try await bank.count(of: .callRequested) == 1)

        let made = try await send(call, showing: second, confirming: id)
        let again = try await send(call, showing: second, confirming: id)
        #expect(again.isReplayed)
        #expect(again["id"] == made["id"])
        #expect(again["code"] == made["code"])
        // Also without the header, and also for the first person, who gets no code.
        #expect(try await send(call, showing: second)["id"] == made["id"])
        let late = try await send(call, showing: first)
        #expect((late.status, late["id"], late["code"]) == (202, id, nil))
        #expect(late["confirmed"] != nil)
        #expect(late["instruction"]?.contains("it had its effect, or was refused") == true)
        #expect(try await bank.count(of: .activationIssued) == 2)
        #expect(try await bank.count(of: .callRequested) == 1)

        // Without a key, an open call of the same token is the same one.
        let third = try await token("c", for: unlocking)
        let open = try await send(unlocking, showing: third)
        let same = try await send(unlocking, showing: third)
        #expect(same["id"] == open["id"] && !same.isReplayed)
        let fourth = try await token("d", for: unlocking)
        #expect(try await send(unlocking, showing: fourth)["id"] != open["id"])
        let id2 = try open["id"].unwrapped()
        #expect(try await send(unlocking, showing: fourth, confirming: id2).status == 204)
        #expect(try await send(unlocking, showing: third)["id"] != open["id"])
    }

    @Test func `SEC-123: the first call is checked like every other one`() async throws {
        let administrator = Call(
            method: "PUT",
            target: BankClient.enterprise + "/policy",
            content: #"{"lock": {"failures": 0}}"#,
            role: .administrator
        )
        let token = try await token("a", for: administrator)
        let refused = try await send(administrator, showing: token)
        #expect(refused.status == 422)
        #expect(refused.errors.map(\.pointer) == ["/lock/failures"])
        var call = issuing
        call.key = nil
        let issuer = try await self.token("b", for: call)
        #expect(try await send(call, showing: issuer).code == "idempotencyKeyMissing")
        #expect(try await bank.count(of: .callRequested) == 0)
    }

    @Test func `without the list nothing changes, and the operator needs no second person`()
        async throws
    {
        let plain = try ServedBank(bank).router()
        let token = try await token("a", for: unlocking)
        func request(_ fields: [Field]) -> Request {
            Request(method: "PUT", target: unlocking.target, fields: fields, body: [])
        }
        let ignored = [Field("Authorization", token), Field("Confirms", "x")]
        #expect(await plain.respond(to: request(ignored)).status == 204)
        let api = try BankAPI(
            bank.verifier,
            at: nil,
            secondPerson: Set(BankOperation.allCases),
            metrics: Metrics()
        )
        #expect(try await api.respond(toOperator: request([])).status == 204)
        #expect(try await bank.count(of: .callRequested) == 0)
    }
}
