import BankIntegration
import HTTPServer
import StrictJSON
import TransactionApproval

/// A response of the issuer's API.
enum IssuerResponse: Sendable {
    /// `outcome` is one word for the log and the metrics.
    case ok(any Encodable & Sendable, outcome: String = "done")
    /// With its path.
    case created(any Encodable & Sendable, at: String)
    case noContent
    case refused(IssuerProblem)
    /// The response of an earlier call with the same idempotency key.
    indirect case repeated(IssuerResponse)
    case wrongMethod(allowed: [IssuerRoute.Method])

    static func notFound(_ resource: IssuerResource) -> IssuerResponse {
        .refused(.notFound(resource))
    }
}

extension RoutedResponse {
    init(_ response: IssuerResponse, by route: String) {
        self.init(response.message, by: route, response.word)
    }
}

extension IssuerResponse {
    fileprivate var message: Response {
        switch self {
        case .ok(let resource, _): .json(resource, 200)
        case .created(let resource, let path): .json(resource, 201, [Field("location", path)])
        case .noContent: Response(status: 204, fields: Response.commonFields)
        case .refused(let problem):
            .problem(
                problem,
                problem.code == .unauthorized ? [Field("www-authenticate", "Bearer")] : []
            )
        case .repeated(let response):
            response.message.adding(Field("idempotent-replayed", "true"))
        case .wrongMethod(let allowed):
            .problem(
                IssuerProblem(.methodNotAllowed),
                [Field("allow", allowed.map(\.rawValue).joined(separator: ", "))]
            )
        }
    }

    fileprivate var word: String {
        switch self {
        case .ok(_, let outcome): outcome
        case .created, .noContent: "done"
        case .refused(let problem): problem.code.rawValue
        case .repeated(let response): response.word
        case .wrongMethod: IssuerErrorCode.methodNotAllowed.rawValue
        }
    }
}

extension Response {
    fileprivate static let commonFields = [Field("cache-control", "no-store")]

    fileprivate func adding(_ field: Field) -> Response {
        Response(status: status, fields: fields + [field], body: body)
    }

    fileprivate static func problem(_ problem: IssuerProblem, _ fields: [Field]) -> Response {
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
            return Response(status: 503, fields: commonFields)
        }
        return Response(
            status: status,
            fields: commonFields + fields + [Field("content-type", type)],
            body: .bytes(body)
        )
    }
}
