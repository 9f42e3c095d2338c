import TransactionApproval
import Verification

/// One thing that the bank can ask for, and what does it.
struct BankRoute: Sendable {
    enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    /// What a request has to bring.
    enum Input: Sendable {
        case nothing
        case content
        /// Content, under an idempotency key: sent again, it has the effect that it had.
        case call
    }

    typealias Service = @Sendable (BankRequest) async throws(Verifier.Failure) -> BankResponse

    let method: Method
    let path: PathPattern
    let scope: BankToken.Scope
    let input: Input
    /// The names that its query may have, each once.
    let queryNames: Set<String>
    let service: Service

    /// One that takes no content.
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

    /// One that takes content.
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

    /// One that takes a document as it is, for the verifier to read.
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

    /// One that takes content under an idempotency key.
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
    /// Whether its enterprise need not be there yet.
    var makesEnterprise: Bool { method == .put && path.text == Self.ofEnterprise }

    /// Everything that the bank can ask for: the one table.
    static let all =
        enterprises + accounts + activations + devices + transactions + codes + outbox + audit

    static let root = "/bank/v1/"
    static let ofEnterprise = root + "enterprises/{enterprise}"
    static let ofAccount = ofEnterprise + "/accounts/{accountType}/{accountID}"
}
