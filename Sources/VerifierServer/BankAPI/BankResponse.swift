import HTTPServer
import StrictJSON
import TransactionApproval

/// A response of the bank API.
enum BankResponse: Sendable {
    case ok(any Encodable & Sendable)
    /// Created now, or earlier by the same call; with its path.
    case created(any Encodable & Sendable, at: String)
    case noContent
    case file([UInt8], type: String)
    case stream(Response.Stream, type: String)
    case refused(BankProblem)
    case wrongMethod(allowed: [BankRoute.Method])

    static let notFound = BankResponse.refused(.own(.notFound))
}

extension BankResponse {
    /// With the fields that all responses of the bank API have.
    fileprivate var response: Response {
        let common = [Field("cache-control", "no-store")]
        switch self {
        case .ok(let resource):
            return .json(resource, 200, common)
        case .created(let resource, let path):
            return .json(resource, 201, common + [Field("location", path)])
        case .noContent: return Response(status: 204, fields: common)
        case .file(let bytes, let type):
            let fields = common + [Field("content-type", type)]
            return Response(status: 200, fields: fields, body: .bytes(bytes))
        case .stream(let stream, let type):
            let fields = common + [Field("content-type", type)]
            return Response(status: 200, fields: fields, body: .stream(stream))
        case .refused(let problem):
            let fields = common + problem.fields
            return .json(problem, problem.status, fields, type: Problem.contentType)
        case .wrongMethod(let allowed):
            let problem = BankProblem.own(.methodNotAllowed)
            let allow = Field("allow", allowed.map(\.rawValue).joined(separator: ", "))
            return .json(problem, problem.status, common + [allow], type: Problem.contentType)
        }
    }
}

extension ReportedResponse {
    init(_ answer: BankResponse, by route: BankRoute?) {
        self.init(
            answer.response,
            by: route.map { "\($0.method.rawValue) \($0.path.text)" },
            outcome: answer.word
        )
    }
}

extension BankResponse {
    /// The outcome in the report.
    fileprivate var word: String {
        switch self {
        case .ok, .created, .noContent, .file, .stream: ReportedResponse.done
        case .refused(let problem): problem.code
        case .wrongMethod: BankErrorCode.methodNotAllowed.rawValue
        }
    }
}

extension BankProblem {
    /// The header fields that HTTP requires with the problem.
    fileprivate var fields: [Field] {
        switch self {
        case .own(.unauthorized, _): [Field("www-authenticate", "Bearer")]
        case .catalogued(.rateLimited(let seconds)): [Field("retry-after", String(seconds))]
        default: []
        }
    }
}

extension Response {
    fileprivate static func json(
        _ value: any Encodable,
        _ status: Int,
        _ fields: [Field],
        type: String = "application/json"
    ) -> Response {
        // Only times outside the range of JSON cannot be written.
        guard let body = try? StrictJSON.encode(value) else {
            return json(BankProblem.catalogued(.serverUnavailable), 503, fields)
        }
        let fields = fields + [Field("content-type", type)]
        return Response(status: status, fields: fields, body: .bytes(body))
    }
}
