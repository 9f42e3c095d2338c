import Foundation
import HTTPServer
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

/// Calls each route of both APIs successfully.
@Suite(.onAnyStore, .described) struct `Every route` {
    @Test func `SEC-66: of the bank API succeeds, and approves nothing`() async throws {
        // Only a verifier with a journal exports evidence.
        let bank = try await Premises().begin(policy: #"{"minimumTokenDigits": 6}"#)
        _ = try await bank.activate()
        let payment = try await bank.pay()
        var walk = BankWalk(try await BankClient(bank))
        try await walk.enterprises()
        try await walk.activations()
        try await walk.transactions()
        try await walk.codes()
        try await walk.outbox()
        try await walk.devices()
        // Last: a device is activated for all linked accounts.
        try await walk.accounts()
        let routes = Set(BankRoute.all.map(\.testDescription))
        #expect(routes.subtracting(walk.coveredRoutes) == [])
        let left = try await bank.read { ledger throws(StoreFailure) in
            try ledger.transaction(payment.id)
        }
        if case .closed(.approved, _) = try #require(left).state { Issue.record("approved") }
    }

    @Test func `of the device API succeeds`() async throws {
        let policy = #"{"authentication": ["userPIN", "biometric"]}"#
        var walk = DeviceWalk(server: try await ServedBank(policy: policy))
        let phone = try await walk.activate()
        try await walk.use(phone)
        try await walk.change(phone)
        #expect(Set(DeviceRoute.allCases).subtracting(walk.coveredRoutes) == [])
    }
}

/// The calls of a bank's programs, in order.
private struct BankWalk {
    private let client: BankClient
    private(set) var coveredRoutes: Set<String> = []
    private var calls = 0

    private var bank: Bank { client.bank }
    private let enterprise = BankClient.enterprise
    private let account = BankClient.account

    init(_ client: BankClient) {
        self.client = client
    }

    @discardableResult
    private mutating func call(
        _ method: String,
        _ target: String,
        _ content: String? = nil,
        showing token: [UInt8]? = nil
    ) async throws -> CompleteResponse {
        guard case .found(let match) = BankRoute.found(for: method, target) else {
            throw Bank.Unexpected()
        }
        let route = match.route
        calls += 1
        let approvals = try await bank.count(of: .transactionApproved)
        let response = try await client.call(
            method,
            target,
            as: route.role,
            showing: token.map { BankClient.token($0) },
            content,
            key: route.input == .call ? "call-\(calls)" : nil
        )
        #expect((200..<300).contains(response.status), "\(method) \(target): \(response.text)")
        #expect(try await bank.count(of: .transactionApproved) == approvals, "\(method) \(target)")
        coveredRoutes.insert(route.testDescription)
        return response
    }

    mutating func enterprises() async throws {
        let administrator = try await bank.makeToken("everywhere", for: .administrator, in: nil)
        let auditor = try await bank.makeToken("all", for: .auditor, in: nil)
        try await call("GET", "/bank/v1/enterprises")
        try await call("PUT", "/bank/v1/enterprises/new", "{}", showing: administrator)
        try await call("GET", enterprise)
        try await call("PUT", enterprise + "/policy", #"{"minimumTokenDigits": 6}"#)
        try await call("GET", enterprise + "/policy")
        try await call("GET", "/bank/v1/audit", showing: auditor)
        try await call("GET", enterprise + "/audit")
    }

    mutating func accounts() async throws {
        let other = enterprise + "/accounts/main/4720"
        try await call("PUT", other)
        try await call("GET", other)
        try await call("PUT", account + "/links/main/4720")
        try await call("DELETE", account + "/links/main/4720")
        try await call("PUT", other + "/replacement", #"{"type":"main","id":"4721"}"#)
    }

    mutating func activations() async throws {
        let path = account + "/activations"
        let issued = try await call("POST", path, "{}")
        let one = "\(path)/\(try issued["id"].unwrapped())"
        for target in [path, one, one + "/qr.svg", one + "/qr.txt", one + "/code"] {
            try await call("GET", target)
        }
    }

    mutating func transactions() async throws {
        let phone = try await bank.activate()
        let path = account + "/transactions"
        let payment = try await bank.pay()
        try await phone.decide(on: payment, in: bank)
        try await call("GET", path + "/\(payment.id)/evidence")
        let content = #"{"context":"action","title":"New phone number"}"#
        let created = try await call("POST", path, content)
        let one = try created.value(of: "location").unwrapped()
        try await call("GET", path)
        try await call("GET", one)
        try await call("POST", one + "/notifications")
        try await call("GET", account + "/readiness")
        try await call("POST", enterprise + "/transactions/ended", #"{"ids":["\#(payment.id)"]}"#)
        try await call("PUT", one + "/withdrawal")
    }

    mutating func codes() async throws {
        let phone = try await bank.activate()
        let device = account + "/devices/\(phone.id)"
        let code = try await phone.typedCode(in: bank)
        try await call("POST", device + "/codes", #"{"code":"\#(code)"}"#)
        let pair = [
            try await phone.typedCode(ahead: 50, in: bank),
            try await phone.typedCode(ahead: 51, in: bank),
        ]
        let content = #"{"first":"\#(pair[0])","second":"\#(pair[1])"}"#
        try await call("POST", device + "/resynchronisation", content)
        guard case .accepted(let login?) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        let digest = Data(Phone.challenge).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        try await call(
            "POST",
            account + "/logins/\(login)/redemption",
            #"{"dataDigest":"\#(digest)"}"#
        )
    }

    mutating func outbox() async throws {
        let taken = try await bank.verifier.takeDeliveries(to: .webhook, limit: 1)
        let delivery = try #require(taken.first)
        for _ in 0..<Delivery.maximumTries {
            try await bank.verifier.note(.failed(jitter: 0), of: delivery)
        }
        try await call("GET", enterprise + "/outbox")
        try await call("PUT", enterprise + "/outbox/\(delivery.sequence)/webhook/retry")
    }

    mutating func devices() async throws {
        let phone = try await bank.activate()
        let device = account + "/devices/\(phone.id)"
        try await call("GET", account + "/devices")
        try await call("GET", device)
        try await call("PUT", device + "/credentials/user/unlocking")
        try await call("DELETE", device + "/enabling")
        try await call("PUT", device + "/enabling")
        try await call("DELETE", device + "/credentials/user/enabling")
        try await call("PUT", device + "/credentials/user/enabling")
        try await call("DELETE", device)
    }
}

/// The calls of a device, from its activation to its deletion.
private struct DeviceWalk {
    let server: ServedBank
    private(set) var coveredRoutes: Set<DeviceRoute> = []

    private var bank: Bank { server.bank }

    init(server: ServedBank) {
        self.server = server
    }

    @discardableResult
    private mutating func call<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ content: Exchange.Request,
        by phone: Phone
    ) async throws -> Exchange.Response {
        let outcome = try await phone.call(exchange, content, of: server)
        guard let response = outcome.response else { throw Bank.Unexpected() }
        coveredRoutes.insert(exchange.route)
        return response
    }

    mutating func activate() async throws -> Phone {
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let claim = try phone.claim(issued.id, issued.code)
        let offered = try await call(ActivationClaimExchange.self, claim, by: phone)
        let commit = try phone.commit(claim, offered.offer, mac: offered.mac, issued.code)
        try await call(ActivationCommitExchange.self, commit, by: phone)
        return phone
    }

    mutating func use(_ phone: Phone) async throws {
        let payment = try await bank.pay()
        try await call(StatusExchange.self, .init(), by: phone)
        try await call(TransactionListExchange.self, NoContent(), by: phone)
        let request = TransactionExchange.Request(transaction: payment.id)
        try await call(TransactionExchange.self, request, by: phone)
        let decision = try await phone.decision(on: payment, in: bank)
        try await call(DecisionExchange.self, decision, by: phone)
        try await call(LoginExchange.self, try await phone.login(in: bank), by: phone)
        try await call(PINCheckExchange.self, try await phone.pinCheck(in: bank), by: phone)
    }

    mutating func change(_ phone: Phone) async throws {
        let biometric = try await phone.rekey(.biometric, in: bank)
        let rekey = try await phone.rekey(biometric, in: bank)
        try await call(RekeyExchange.self, rekey, by: phone)
        let removal = BiometricRemovalExchange.Request(attempt: try .random())
        try await call(BiometricRemovalExchange.self, removal, by: phone)
        let push = PushExchange.Request(attempt: try .random(), setting: .events)
        try await call(PushExchange.self, push, by: phone)
        try await listen(phone)
        try await call(AccountChangesExchange.self, NoContent(), by: phone)
        let deletion = DeletionExchange.Request(attempt: try .random())
        try await call(DeletionExchange.self, deletion, by: phone)
    }

    /// Only the head of a stream is checked: its body does not end.
    private mutating func listen(_ phone: Phone) async throws {
        let signed = try phone.request(EventsExchange.self, NoContent(), at: bank.clock.now)
        let request = try Request(signed)
        let response = await server.api.respond(to: request)
        guard case .stream = response.body else { throw Bank.Unexpected() }
        let head = Response(status: response.status, fields: response.fields, body: .bytes([]))
        Exchanges.current?.note(request, try await CompleteResponse(head))
        coveredRoutes.insert(.events)
    }
}
