import BankIntegration
import HTTPServer
import StrictJSON
import TransactionApproval
import Verification

/// A request of a caller that has the scope of the route.
struct BankRequest: Sendable {
    let api: BankAPI
    private(set) var caller: Caller
    let message: Request
    let match: BankRoute.Match

    var verifier: Verifier { api.verifier }

    /// The sources of transactions that the caller may see or change here.
    var sources: Set<RequestSource> {
        caller.scopes.contains(match.route.scope) ? Set(RequestSource.allCases) : [.cards]
    }

    var query: RequestQuery { match.query }
    var author: ChangeAuthor { caller.author }

    /// Empty if the path has no such parameter.
    func text(_ name: PathName) -> String { match.names[name] ?? "" }

    // The path pattern accepts only the characters of these identifiers.

    var enterprise: EnterpriseID { EnterpriseID(checked: text(.enterprise)) }

    var account: AccountReference {
        let key = AccountKey(
            type: AccountType(checked: text(.accountType)),
            id: AccountID(checked: text(.accountID))
        )
        return AccountReference(enterprise: enterprise, key: key)
    }

    var otherAccount: AccountKey {
        AccountKey(
            type: AccountType(checked: text(.otherType)),
            id: AccountID(checked: text(.otherID))
        )
    }

    var device: DeviceID? { DeviceID(text(.device)) }
    var transaction: TransactionID { TransactionID(checked: text(.transaction)) }
    var login: TransactionID { TransactionID(checked: text(.login)) }
}

extension BankRequest {
    /// The same request, whose changes have their effect only if they confirm a requested call.
    func confirming(_ id: RequestedCallID?, by call: TwoPersonCall) -> BankRequest {
        var request = self
        request.caller = caller.confirming(id, by: call)
        return request
    }

    /// Whether a call that took some time may still get its response (SEC-54).
    var isStillAllowed: Bool {
        get async throws(Verifier.Failure) {
            guard let token = caller.token else { return true }
            return try await verifier.token(shown: message.bearerToken)?.id == token
        }
    }

    /// The path of created resources begins with it.
    var target: String { message.target }

    /// The content as text.
    var document: Result<String, BankProblem> {
        guard message.hasJSON else { return .failure(.own(.unsupportedContentType)) }
        guard let text = String(validating: message.body, as: UTF8.self) else {
            return .failure(.own(.malformedContent))
        }
        return .success(text)
    }

    func content<Content: RequestContent>(_ type: Content.Type) -> Result<Content, BankProblem> {
        message.content(type).mapError { BankProblem($0) }
    }

    /// Nil if the request has no body.
    func optionalContent<Content: RequestContent>(
        _ type: Content.Type
    ) -> Result<Content?, BankProblem> {
        message.body.isEmpty ? .success(nil) : content(type).map { $0 }
    }

    /// Nil unless there is exactly one.
    var idempotencyKey: IdempotencyKey? {
        let values = message.values(of: "idempotency-key")
        return values.count == 1 ? IdempotencyKey(values[0]) : nil
    }

    /// Two calls of a caller are equal if method, target and body are.
    func call(_ key: IdempotencyKey) async throws(Verifier.Failure) -> BankCall {
        try await verifier.call(key, of: caller.keys, in: enterprise, for: wholeCall)
    }

    /// Method, target and body, for a fingerprint.
    var wholeCall: [UInt8] {
        var content = FieldWriter()
        content.append(message.method)
        content.append(message.target)
        content.append(message.body)
        return content.bytes
    }
}

extension BankProblem: Error {}
