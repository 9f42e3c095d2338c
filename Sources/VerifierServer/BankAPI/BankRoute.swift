import BankIntegration
import TransactionApproval
import Verification

/// An operation of the bank API; a method of `BankRequest` implements it.
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
        case optionalContent
        /// Content with an idempotency key: a repeated call has no further effect.
        case call
    }

    typealias Failure = Verifier.Failure
    typealias Operation = VerifierServer.Configuration.BankOperation
    typealias Service = @Sendable (BankRequest) async throws(Failure) -> BankResponse
    typealias PlainService =
        @Sendable (BankRequest) -> @Sendable () async throws(Failure) -> BankResponse
    /// A method that gets the content.
    typealias ContentService<Content> =
        @Sendable (BankRequest) -> @Sendable (Content) async throws(Failure) -> BankResponse
    /// A method that gets the content and the idempotency key.
    typealias CallService<Content> = @Sendable (BankRequest) -> KeyedMethod<Content>
    typealias KeyedMethod<Content> =
        @Sendable (Content, BankCall) async throws(Failure) -> BankResponse

    let method: Method
    let path: PathPattern<PathName>
    let scope: BankToken.Scope
    /// Whether the scope `cards` is enough for transactions of the source `cards`.
    ///
    /// The route's own scope is enough for all sources.
    let servesCards: Bool
    let input: Input
    /// The allowed query parameters.
    let parameters: [QueryParameter]
    /// Nil for an operation that cannot require a second person.
    let operation: Operation?
    let service: Service

    private init(
        _ method: Method,
        _ path: String,
        _ scope: BankToken.Scope,
        servesCards: Bool = false,
        _ operation: Operation?,
        _ input: Input,
        query parameters: [QueryParameter] = [],
        _ service: @escaping Service
    ) {
        self.method = method
        self.path = PathPattern(path)
        self.scope = scope
        self.servesCards = servesCards
        self.operation = operation
        self.input = input
        self.parameters = parameters
        self.service = service
    }

    /// Without content.
    init(
        _ method: Method,
        _ path: String,
        _ scope: BankToken.Scope,
        servesCards: Bool = false,
        as operation: Operation? = nil,
        query parameters: [QueryParameter] = [],
        _ service: @escaping PlainService
    ) {
        self.init(
            method,
            path,
            scope,
            servesCards: servesCards,
            operation,
            .nothing,
            query: parameters
        ) { request async throws(Failure) in
            try await request.admitted { request async throws(Failure) in
                try await service(request)()
            }
        }
    }

    /// With JSON content.
    init<Content: RequestContent>(
        _ method: Method,
        _ path: String,
        _ scope: BankToken.Scope,
        servesCards: Bool = false,
        as operation: Operation? = nil,
        taking service: @escaping ContentService<Content>
    ) {
        self.init(method, path, scope, servesCards: servesCards, operation, .content) {
            request async throws(Failure) in
            try await request.admitted(with: request.content(Content.self), to: service)
        }
    }

    /// With JSON content that can be omitted.
    init<Content: RequestContent>(
        _ method: Method,
        _ path: String,
        _ scope: BankToken.Scope,
        as operation: Operation? = nil,
        takingOptional service: @escaping ContentService<Content?>
    ) {
        self.init(method, path, scope, operation, .optionalContent) {
            request async throws(Failure) in
            try await request.admitted(with: request.optionalContent(Content.self), to: service)
        }
    }

    /// With a policy, which the verifier parses.
    init(
        _ method: Method,
        _ path: String,
        _ scope: BankToken.Scope,
        as operation: Operation,
        takingPolicy service: @escaping ContentService<String>
    ) {
        self.init(method, path, scope, operation, .content) { request async throws(Failure) in
            let document = request.document
            // The first person gets the refusal of an invalid policy, too.
            if case .success(let policy) = document { try request.verifier.check(policy: policy) }
            return try await request.admitted(with: document, to: service)
        }
    }

    /// With JSON content and an idempotency key.
    init<Content: RequestContent>(
        calling path: String,
        _ scope: BankToken.Scope,
        servesCards: Bool = false,
        as operation: Operation? = nil,
        _ service: @escaping CallService<Content>
    ) {
        self.init(.post, path, scope, servesCards: servesCards, operation, .call) {
            request async throws(Failure) in
            guard let key = request.idempotencyKey else {
                return .refused(.own(.idempotencyKeyMissing))
            }
            switch request.content(Content.self) {
            case .success(let content):
                let call = try await request.call(key)
                return try await request.admitted(call) { request async throws(Failure) in
                    try await service(request)(content, call)
                }
            case .failure(let problem): return .refused(problem)
            }
        }
    }
}

extension BankRequest {
    /// Runs `service` with valid content; only such a call is stored for a second person.
    fileprivate func admitted<Content: Sendable>(
        with content: Result<Content, BankProblem>,
        to service: BankRoute.ContentService<Content>
    ) async throws(Verifier.Failure) -> BankResponse {
        switch content {
        case .success(let content):
            try await admitted { request async throws(Verifier.Failure) in
                try await service(request)(content)
            }
        case .failure(let problem): .refused(problem)
        }
    }
}

extension BankRoute {
    /// The scopes of which one is enough.
    var scopes: Set<BankToken.Scope> { servesCards ? [scope, .cards] : [scope] }

    /// True if the enterprise does not have to exist.
    var makesEnterprise: Bool { method == .put && path.text == Self.ofEnterprise }

    /// All operations of the bank API.
    static let all =
        enterprises + accounts + activations + devices + transactions + codes + outbox + audit

    /// So a request is compared with a few of them.
    static let byPartCount = Dictionary(grouping: all, by: \.path.partCount)

    static let root = "/bank/v1/"
    static let ofEnterprise = root + "enterprises/{enterprise}"
    static let ofAccount = ofEnterprise + "/accounts/{accountType}/{accountID}"
}
