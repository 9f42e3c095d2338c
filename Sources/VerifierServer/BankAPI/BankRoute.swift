import TransactionApproval
import Verification

/// An operation of the bank API, with its implementation.
struct BankRoute: Sendable {
    enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    /// The content that the request must have.
    enum Input: Sendable {
        case nothing
        case content
        /// Content with an idempotency key: a repeated call has no further effect.
        case call
    }

    typealias Service = @Sendable (BankRequest) async throws(Verifier.Failure) -> BankResponse

    let method: Method
    let path: PathPattern
    let scope: BankToken.Scope
    let input: Input
    /// The allowed query parameters.
    let queryNames: Set<String>
    let service: Service

    /// Without content.
    init(
        _ method: Method,
        _ path: String,
        _ scope: BankToken.Scope,
        query queryNames: Set<String> = [],
        _ service: @escaping Service
    ) {
        self.init(method, path, scope, .nothing, query: queryNames, service)
    }

    private init(
        _ method: Method,
        _ path: String,
        _ scope: BankToken.Scope,
        _ input: Input,
        query queryNames: Set<String> = [],
        _ service: @escaping Service
    ) {
        self.method = method
        self.path = PathPattern(path)
        self.scope = scope
        self.input = input
        self.queryNames = queryNames
        self.service = service
    }

    /// With content.
    init<Content: Decodable & Sendable>(
        _ method: Method,
        _ path: String,
        _ scope: BankToken.Scope,
        taking content: Content.Type,
        _ service:
            @escaping @Sendable (
                BankRequest, Content
            ) async throws(Verifier.Failure) -> BankResponse
    ) {
        self.init(method, path, scope, .content) { request async throws(Verifier.Failure) in
            switch request.content(content) {
            case .success(let content): try await service(request, content)
            case .failure(let problem): .refused(problem)
            }
        }
    }

    /// With a document that the verifier parses.
    init(
        _ method: Method,
        _ path: String,
        _ scope: BankToken.Scope,
        takingDocument service:
            @escaping @Sendable (
                BankRequest, String
            ) async throws(Verifier.Failure) -> BankResponse
    ) {
        self.init(method, path, scope, .content) { request async throws(Verifier.Failure) in
            switch request.document {
            case .success(let text): try await service(request, text)
            case .failure(let problem): .refused(problem)
            }
        }
    }

    /// With content and an idempotency key.
    init<Content: Decodable & Sendable>(
        calling path: String,
        _ scope: BankToken.Scope,
        with content: Content.Type,
        _ service:
            @escaping @Sendable (
                BankRequest, Content, BankCall
            ) async throws(Verifier.Failure) -> BankResponse
    ) {
        self.init(.post, path, scope, .call) { request async throws(Verifier.Failure) in
            guard let key = request.idempotencyKey else {
                return .refused(.own(.idempotencyKeyMissing))
            }
            switch request.content(content) {
            case .success(let content):
                return try await service(request, content, try await request.call(key))
            case .failure(let problem): return .refused(problem)
            }
        }
    }
}

extension BankRoute {
    /// True if the enterprise does not have to exist.
    var makesEnterprise: Bool { method == .put && path.text == Self.ofEnterprise }

    /// All operations of the bank API.
    static let all =
        enterprises + accounts + activations + devices + transactions + codes + outbox + audit

    static let root = "/bank/v1/"
    static let ofEnterprise = root + "enterprises/{enterprise}"
    static let ofAccount = ofEnterprise + "/accounts/{accountType}/{accountID}"
}
