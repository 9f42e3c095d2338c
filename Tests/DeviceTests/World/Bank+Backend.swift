import Cryptography
import OneTimePassword
import Storage
import TransactionApproval
import Verification
import VerifierWorld

/// An activation as the person receives it.
struct Letter {
    let id: String
    let code: [UInt8]
}

// The operations of the bank's backend.
extension Bank {
    func letter(for id: String) async throws -> Letter {
        let issued = try await issue(for: Self.account(id))
        let code = try issued.code.text().withBytes { text in text.indices.map { text[$0] } }
        return Letter(id: issued.id.text, code: code)
    }

    /// Requests an approval; the bank shows the number.
    @discardableResult
    func request(
        _ id: String = "4711",
        for minorUnits: UInt64 = 47_11,
        reference: String? = nil,
        returnURL: String? = nil
    ) async throws -> (id: String, number: String?) {
        let request = TransactionRequest(
            account: Self.account(id),
            content: try .payment(of: minorUnits),
            reference: reference.map { ExternalReference(checked: $0) },
            returnURL: returnURL.flatMap { ReturnURL($0) }
        )
        let result = try await verifier.request(request, by: Self.core)
        guard case .created(let transaction, let number) = result else { throw Unexpected() }
        return (transaction.id.text, number?.digits)
    }

    /// Links both accounts to one person.
    func link(_ one: String, to other: String) async throws {
        let key = Self.account(other).key
        guard try await verifier.link(Self.account(one), to: key, by: Self.core) == .done else {
            throw Unexpected()
        }
    }

    func withdraw(_ id: String, of account: String = "4711") async throws {
        let transaction = TransactionID(checked: id)
        let isDone = try await verifier.withdraw(
            transaction,
            of: Self.account(account),
            by: Self.core
        )
        guard isDone == .done else { throw Unexpected() }
    }

    /// The state of a transaction.
    func outcome(of id: String) async throws -> String {
        let transaction = TransactionID(checked: id)
        let state = try await read { ledger throws(StoreFailure) in
            try ledger.transaction(transaction)?.state
        }
        switch try state.unwrapped() {
        case .pending: return "pending"
        case .closed(.approved(let type, _), _): return "approved by \(type)"
        case .closed(.rejected(let reason, _), _): return "rejected: \(reason)"
        case .closed(.expired, _): return "expired"
        case .closed(.withdrawn, _): return "withdrawn"
        case .closed(.void, _): return "void"
        }
    }

    /// The result of the redemption of a login, which signed these data.
    func redeem(_ login: String, over data: [UInt8], of account: String = "4711") async throws
        -> String
    {
        let redemption = try await verifier.redeemLogin(
            TransactionID(checked: login),
            of: Self.account(account),
            over: try HashAlgorithm.sha256.digest(of: data.span).array,
            by: Self.core
        )
        switch redemption {
        case .redeemed, .repeated: return "redeemed"
        case .refused(let refusal): return "\(refusal)"
        case .unknown, .keyReused: return "unknown"
        case .testAccountForbidden: return "\(redemption)"
        }
    }

    func devices(of account: String = "4711") async throws -> [DeviceID] {
        let account = Self.account(account)
        return try await read { ledger throws(StoreFailure) in
            try ledger.devices(of: account).filter { $0.status != .revoked }.map(\.id)
        }
    }

    /// Whether the verifier accepts a typed code.
    func takes(typed code: String, over data: [UInt8]? = nil) async throws -> Bool {
        let judged = try await verifier.verify(
            typed: code,
            over: data,
            .of([code], over: data, on: try await devices()[0], to: verifier),
            by: Self.core
        )
        return judged.result == .accepted(nil)
    }

    func setPolicy(_ document: String) async throws {
        let result = try await verifier.setPolicy(document, of: Self.enterprise, by: Self.core)
        guard result == .done else { throw Unexpected() }
    }

    /// Replaces one account with another.
    func replace(_ old: String, by new: String) async throws {
        let key = Self.account(new).key
        let result = try await verifier.replace(Self.account(old), by: key, by: Self.core)
        guard result == .done else { throw Unexpected() }
    }

    func revokeDevice(of account: String = "4711") async throws {
        let device = try await devices(of: account)[0]
        let result = try await verifier.revoke(device, of: Self.account(account), by: Self.core)
        guard result == .done else { throw Unexpected() }
    }

    func refusedCodes() async throws -> Int { try await count(of: .codeRefused) }

    func approvals() async throws -> Int { try await count(of: .transactionApproved) }

    func close() async { await database.close() }

    func push(of account: String = "4711") async throws -> PushSetting? {
        try await verifier.pushSetting(of: try await devices(of: account)[0])
    }
}

extension Bank {
    /// An attack on the verifier's database: another transaction with the same id.
    func tamper(with id: String) async throws {
        let transaction = TransactionID(checked: id)
        let record = try await read { ledger throws(StoreFailure) in
            try ledger.transaction(transaction)
        }
        var bytes = try record.unwrapped().canonicalBytes
        bytes[bytes.count - 1] ^= 1
        let changed = bytes
        _ = try await database.write { connection throws(StoreFailure) in
            try connection.run(updateTransaction, [.bytes(changed), .text(id)])
        }
    }
}

private let updateTransaction = Statement(
    "UPDATE transactions SET canonical_bytes = $1 WHERE id = $2"
)
