import Cryptography
import FoundationEssentials
import TransactionApproval
import Verification

/// Whole approvals: the bank requests one, and the device fetches the transaction and approves it.
struct ApprovalDialogue: Dialogue {
    /// The steps of one approval, in their order.
    enum Step: Int, CaseIterable {
        case request, fetch, decision
    }

    /// An account, and the next counter of its device.
    struct Participant {
        let account: Int
        let counter: UInt64
    }

    private struct Created: Decodable {
        let id: String
    }

    private let participants: [Participant]
    private let origin: ServerOrigin
    private let deviceKey: P256.PrivateKey

    init(of participants: [Participant], with folder: VerifierFolder) throws {
        guard let origin = ServerOrigin(folder.origin) else {
            throw BenchmarkFailure("\(folder.origin) is not an origin")
        }
        self.participants = participants
        self.origin = origin
        deviceKey = folder.deviceKey
    }

    var stepCount: Int { Step.allCases.count }

    func request(_ step: Int, of exchange: Int, after body: [UInt8]) throws -> [UInt8] {
        let participant = participants[exchange]
        switch Step(rawValue: step) {
        case .fetch:
            let created = try JSONDecoder().decode(Created.self, from: Data(body))
            return try signed(
                TransactionExchange.self,
                TransactionExchange.Request(transaction: TransactionID(checked: created.id)),
                by: participant
            )
        case .decision:
            guard let transaction = try TransactionExchange.Response(reading: body).transaction
            else { throw BenchmarkFailure("the transaction breaks a rule") }
            let decision = try DecisionStore.decision(
                on: transaction,
                of: participant.account,
                counter: participant.counter,
                by: deviceKey
            )
            return try signed(DecisionExchange.self, decision.request, by: participant)
        case .request, nil: throw BenchmarkFailure("an approval has no step \(step)")
        }
    }

    private func signed<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ request: Exchange.Request,
        by participant: Participant
    ) throws -> [UInt8] {
        try SignedRequest(
            exchange,
            request,
            to: origin,
            from: DecisionStore.deviceID(participant.account),
            signedWith: deviceKey,
            at: .earliest + .seconds(Date.now.timeIntervalSince1970)
        ).bytes
    }

    /// The bank's request for a payment of an account.
    static func bankRequest(for account: Int, number: Int, token: String) -> [UInt8] {
        let body = """
            {"context": "payment", "title": "Transfer",
             "amounts": [{"currency": "EUR", "minorUnits": 4711}],
             "payees": [{"name": "Grocer", "account": "DE89370400440532013000"}]}
            """
        let id = DecisionStore.account(account).key.id
        let lines = [
            "POST /bank/v1/enterprises/bank/accounts/main/\(id)/transactions HTTP/1.1",
            "Host: localhost",
            "Authorization: Bearer \(token)",
            "Content-Type: application/json",
            "Idempotency-Key: payment-\(number)",
            "Content-Length: \(body.utf8.count)", "", body,
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }
}
