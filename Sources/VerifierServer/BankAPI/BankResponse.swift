import BankIntegration
import HTTPServer
import StrictJSON
import TransactionApproval
import Verification

/// A response of the bank API.
enum BankResponse: Sendable {
    case ok(any Encodable & Sendable)
    /// Created now, or earlier by the same call; with its path.
    case created(any Encodable & Sendable, at: String)
    /// Nothing was done: a second person must confirm it.
    case accepted(any Encodable & Sendable)
    case noContent
    case file([UInt8], type: String)
    case stream(Response.Stream, type: String)
    case refused(BankProblem)
    case wrongMethod(allowed: [BankRoute.Method])
    /// The response of an earlier call with the same idempotency key.
    indirect case repeated(BankResponse)

    static func notFound(_ resource: BankResource) -> BankResponse {
        .refused(.notFound(resource))
    }
}

extension BankResponse {
    /// With the fields that all responses of the bank API have.
    var message: Response {
        switch self {
        case .ok(let resource): .json(resource, 200)
        case .created(let resource, let path): .json(resource, 201, [Field("location", path)])
        case .accepted(let resource): .json(resource, 202)
        case .noContent: Response(status: 204, fields: Response.commonFields)
        case .file(let bytes, let type): .content(.bytes(bytes), type: type)
        case .stream(let stream, let type): .content(.stream(stream), type: type)
        case .refused(let problem): .problem(problem, problem.fields)
        case .wrongMethod(let allowed):
            .problem(
                .own(.methodNotAllowed),
                [Field("allow", allowed.map(\.rawValue).joined(separator: ", "))]
            )
        case .repeated(let response):
            response.message.adding(Field("idempotent-replayed", "true"))
        }
    }

    /// The outcome in the report.
    fileprivate var word: String {
        switch self {
        case .ok, .created, .noContent, .file, .stream: ReportedResponse.done
        case .accepted: "requested"
        case .refused(let problem): problem.code
        case .wrongMethod: BankErrorCode.methodNotAllowed.rawValue
        case .repeated(let response): response.word
        }
    }
}

extension ReportedResponse {
    /// The response of an endpoint without the bank API, also to paths of that API.
    static let unknownPath = ReportedResponse(.notFound(.path))

    /// Without a route.
    init(_ response: BankResponse) {
        self.init(response.message, by: nil, outcome: response.word)
    }

    init(
        _ response: BankResponse,
        to request: Request,
        of token: BankTokenName?,
        by route: BankRoute?
    ) {
        let message = response.message
        // Strangers send other paths to the public port.
        let isRefusedCall =
            400..<500 ~= message.status && request.target.hasPrefix(BankRoute.root)
        self.init(
            message,
            by: route.map { "\($0.method.rawValue) \($0.path.text)" },
            outcome: response.word,
            token: token,
            client: isRefusedCall ? request.peer.address : nil
        )
    }
}

extension BankProblem {
    /// The header fields that HTTP requires with the problem.
    fileprivate var fields: [Field] {
        switch self {
        case .own(.unauthorized): [Field("www-authenticate", "Bearer")]
        case .catalogued(.rateLimited(let seconds)), .tooManyPending(let seconds):
            [Field("retry-after", String(seconds))]
        default: []
        }
    }
}

extension Response {
    fileprivate static let commonFields = [Field("cache-control", "no-store")]

    fileprivate static func content(
        _ body: Body,
        type: String,
        status: Int = 200,
        _ fields: [Field] = []
    ) -> Response {
        let fields = commonFields + fields + [Field("content-type", type)]
        return Response(status: status, fields: fields, body: body)
    }

    fileprivate func adding(_ field: Field) -> Response {
        Response(status: status, fields: fields + [field], body: body)
    }

    fileprivate static func problem(_ problem: BankProblem, _ fields: [Field]) -> Response {
        json(problem, problem.status, fields, type: Problem.contentType)
    }

    fileprivate static func json(
        _ value: any Encodable,
        _ status: Int,
        _ fields: [Field] = [],
        type: String = "application/json"
    ) -> Response {
        // Our texts and numbers can always be written.
        guard let body = try? StrictJSON.encode(value) else {
            return json(BankProblem.catalogued(.serverUnavailable), 503, fields)
        }
        return content(.bytes(body), type: type, status: status, fields)
    }
}
