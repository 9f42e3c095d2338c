package import HTTPClient
import StrictJSON
package import Transactions

/// The verifier, by the part of its bank API that a token of the role `cards` may use.
///
/// The API is reached through a transport, over the network or in one process.
package struct VerifierClient: Sendable {
    package typealias Transport =
        @Sendable (Call) async throws(VerifierFailure) -> (status: Int, body: [UInt8])

    package struct Call: Sendable {
        package enum Method: String, Sendable {
            case get = "GET"
            case put = "PUT"
            case post = "POST"
        }

        package let method: Method
        /// The path and the query.
        package let target: String
        /// JSON; nil for a call without content.
        package let content: [UInt8]?
        /// A repeated call with the same key has effect only once.
        package let key: String?
        /// How long the verifier can wait before it responds.
        package let wait: Duration
    }

    /// The most transactions that one call waits for.
    package static let maximumAwaited = 500
    private static let limits = StrictJSON.Limits(byteCount: 1 << 20, depth: 8, valueCount: 16_384)

    package let enterprise: EnterpriseID
    private let transport: Transport

    package init(of enterprise: EnterpriseID, through transport: @escaping Transport) {
        self.enterprise = enterprise
        self.transport = transport
    }
}

// MARK: Calls

extension VerifierClient {
    package func readiness(
        of account: CardAccount
    ) async throws(VerifierFailure) -> Readiness.Report {
        let target = try path(of: account) + "/readiness?source=cards"
        return try await Readiness.Report(call(.get, target))
    }

    /// Requests an approval, or returns the one that an earlier call with this key requested.
    package func request(
        _ content: [UInt8],
        of account: CardAccount,
        key: String
    ) async throws(VerifierFailure) -> RequestedTransaction {
        let target = try path(of: account) + "/transactions"
        return try await RequestedTransaction(call(.post, target, content, key: key))
    }

    /// The end of each transaction that ended, within `seconds` if there is none yet.
    package func ends(
        of transactions: [TransactionID],
        waiting seconds: Int
    ) async throws(VerifierFailure) -> TransactionEnds {
        precondition(transactions.count <= Self.maximumAwaited)
        let content = JSONValue.object([
            .init(name: "ids", value: .array(transactions.map { .string($0.text) })),
            .init(name: "wait", value: .number(JSONNumber(seconds))),
        ])
        let target = "/bank/v1/enterprises/\(enterprise)/transactions/ended"
        let written = try Self.written(content)
        return try await TransactionEnds(call(.post, target, written, waiting: .seconds(seconds)))
    }

    /// Ends a transaction, unless it has ended.
    ///
    /// - Returns: The end that it had before; nil if this call or a repeated one withdrew it.
    package func withdraw(
        _ transaction: TransactionID,
        of account: CardAccount
    ) async throws(VerifierFailure) -> TransactionEnd? {
        let target = try path(of: account) + "/transactions/\(transaction)/withdrawal"
        do throws(VerifierFailure) {
            _ = try await send(.put, target)
            return nil
        } catch {
            guard case .refused(let code) = error, Self.endedCodes.contains(code) else {
                throw error
            }
            let found = try await ends(of: [transaction], waiting: 0).ended.first
            guard let found else { throw .unreadable }
            return found
        }
    }

    /// Notifies the person of a transaction once more, unless the verifier's rules forbid it.
    package func notify(
        of transaction: TransactionID,
        of account: CardAccount
    ) async throws(VerifierFailure) -> NotificationReport {
        let target = try path(of: account) + "/transactions/\(transaction)/notifications"
        do throws(VerifierFailure) {
            return try await NotificationReport(call(.post, target))
        } catch {
            guard case .refused(let code) = error, Self.endedCodes.contains(code) else {
                throw error
            }
            return .ended
        }
    }

    private static let endedCodes = ["transactionAlreadyDecided", "transactionExpired"]

    /// Refuses an account of another enterprise: its key can be the one of another person here.
    func path(of account: CardAccount) throws(VerifierFailure) -> String {
        guard account.enterprise == enterprise else { throw .otherEnterprise }
        return "/bank/v1/enterprises/\(enterprise)/accounts/\(account.key)"
    }

    /// An account that no verifier has.
    var unknownAccount: CardAccount {
        CardAccount(
            enterprise,
            AccountKey(type: AccountType(checked: "card"), id: AccountID(checked: "unknown"))
        )
    }
}

// MARK: Messages

extension VerifierClient {
    private func call(
        _ method: Call.Method,
        _ target: String,
        _ content: [UInt8]? = nil,
        key: String? = nil,
        waiting wait: Duration = .zero
    ) async throws(VerifierFailure) -> JSONValue {
        try Self.read(await send(method, target, content, key: key, waiting: wait))
    }

    private func send(
        _ method: Call.Method,
        _ target: String,
        _ content: [UInt8]? = nil,
        key: String? = nil,
        waiting wait: Duration = .zero
    ) async throws(VerifierFailure) -> [UInt8] {
        let call = Call(method: method, target: target, content: content, key: key, wait: wait)
        switch try await response(to: call) {
        case .document(let body): return body
        case .problem(let code, _): throw .refused(code: code)
        }
    }

    enum Response {
        case document([UInt8])
        /// With the missing resource of `notFound`.
        case problem(code: String, resource: String?)
    }

    func response(to call: Call) async throws(VerifierFailure) -> Response {
        let (status, body) = try await transport(call)
        switch status {
        case 200...299: return .document(body)
        case 500...599: throw .unavailable
        default:
            let problem = try Self.read(body)
            guard let code = problem["code"]?.text else { throw .unreadable }
            let resource = problem["resource"]?.text
            // A server without these paths, such as the one for devices, has another API.
            guard code != "notFound" || ![nil, "path"].contains(resource) else { throw .unreadable }
            return .problem(code: code, resource: resource)
        }
    }

    private static func written(_ content: JSONValue) throws(VerifierFailure) -> [UInt8] {
        do throws(StrictJSON.Unwritable) {
            return try content.written()
        } catch {
            // Its texts come from messages that were checked, and its numbers are integers.
            throw .unreadable
        }
    }

    static func read(_ document: [UInt8]) throws(VerifierFailure) -> JSONValue {
        do throws(StrictJSON.Failure) {
            return try JSONValue(reading: document, limits: limits)
        } catch {
            throw .unreadable
        }
    }
}

/// The reason why a call has no result.
package enum VerifierFailure: Error, Equatable, Sendable {
    /// No response came.
    case unreachable(HTTPFailure)
    /// The verifier cannot process calls now.
    case unavailable
    /// The verifier refused the call, with this code of its API.
    case refused(code: String)
    /// No call was made, because the account is not one of the client's enterprise.
    case otherEnterprise
    /// The response is not one of this API.
    case unreadable
}
