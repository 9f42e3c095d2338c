import BankIntegration
import HTTPServer
import Storage
import StrictJSON

/// An operation of the issuer's API; a method of `IssuerRequest` implements it.
struct IssuerRoute: Sendable {
    enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    typealias Service =
        @Sendable (IssuerRequest) async throws(StoreFailure) -> IssuerResponse
    typealias PlainService =
        @Sendable (IssuerRequest) -> @Sendable () async throws(StoreFailure) -> IssuerResponse
    /// A method that gets the content.
    typealias ContentService<Content> =
        @Sendable (IssuerRequest) ->
        @Sendable (Content) async throws(StoreFailure) ->
        IssuerResponse

    let method: Method
    let path: PathPattern<IssuerPathName>
    let takesContent: Bool
    /// Whether it can have an idempotency key.
    let takesKey: Bool
    /// The allowed query parameters.
    let parameters: [QueryParameter]
    let service: Service

    /// Without content.
    init(
        _ method: Method,
        _ path: String,
        query parameters: [QueryParameter] = [],
        _ service: @escaping PlainService
    ) {
        (self.method, self.path, takesContent) = (method, PathPattern(path), false)
        takesKey = false
        self.parameters = parameters
        self.service = { request async throws(StoreFailure) in try await service(request)() }
    }

    /// With JSON content.
    init<Content: RequestContent>(
        _ method: Method,
        _ path: String,
        takesKey: Bool = false,
        taking service: @escaping ContentService<Content>
    ) {
        (self.method, self.path, takesContent) = (method, PathPattern(path), true)
        self.takesKey = takesKey
        parameters = []
        self.service = { request async throws(StoreFailure) in
            switch request.message.content(Content.self) {
            case .success(let content): try await service(request)(content)
            case .failure(let refusal): .refused(IssuerProblem(refusal))
            }
        }
    }

    /// For the log and the metrics.
    var name: String { "\(method.rawValue) \(path.text)" }
}

extension IssuerRoute {
    /// All operations that need the token.
    static let all = cards + challenges + values + events

    static let root = "/acs/v1/"
}

// MARK: Finding

extension IssuerRoute {
    /// A route, and the parameters of the request.
    struct Match: Sendable {
        let route: IssuerRoute
        let names: [IssuerPathName: String]
        let query: RequestQuery
    }

    enum Finding {
        case found(Match)
        case refused(IssuerResponse)
    }

    static func finding(for request: Request) -> Finding {
        guard request.body.count <= StrictJSON.Limits.message.byteCount else {
            return .refused(.refused(IssuerProblem(.contentTooLarge)))
        }
        let target = RequestTarget(request.target)
        let found = all.compactMap { route in route.path.names(in: target).map { (route, $0) } }
        guard !found.isEmpty else { return .refused(.notFound(.path)) }
        guard let (route, names) = found.first(where: { $0.0.method.rawValue == request.method })
        else { return .refused(.wrongMethod(allowed: found.map { $0.0.method })) }
        do throws(InvalidQuery) {
            let query = try RequestQuery(target.query, parameters: route.parameters)
            return .found(Match(route: route, names: names, query: query))
        } catch {
            return .refused(.refused(.query(error.violations)))
        }
    }
}
