import HTTPServer
import TransactionApproval

/// The responses without a signature, for requests without a valid one.
///
/// For a device they all mean: the result is unknown.
enum UnsignedResponse: Error, CaseIterable {
    /// The path is not part of the device API.
    case notFound
    case methodNotAllowed
    /// The signature is not valid, the device is unknown, or the request is a replay.
    case stranger
    /// The signature cannot be checked now, whatever the device.
    case unavailable
    /// Too many calls wait for the HSM, which would also sign the response.
    case busy
}

extension ReportedResponse {
    init(_ response: UnsignedResponse, by route: DeviceRoute?) {
        self.init(Response(response), by: route?.name, outcome: response.word)
    }
}

extension DeviceRoute {
    /// The name in reports.
    var name: String { "\(Self.method) \(path)" }
}

extension Outcome {
    /// The outcome in the report.
    var word: String {
        switch self {
        case .done: ReportedResponse.done
        case .refused(let problem): problem.code.rawValue
        }
    }
}

extension UnsignedResponse {
    fileprivate var word: String {
        switch self {
        case .notFound: BankErrorCode.notFound.rawValue
        case .methodNotAllowed: BankErrorCode.methodNotAllowed.rawValue
        case .stranger: Problem.noAccountActivated.code.rawValue
        case .unavailable, .busy: Problem.serverUnavailable.code.rawValue
        }
    }
}

extension Response {
    fileprivate init(_ response: UnsignedResponse) {
        switch response {
        case .notFound: self.init(status: 404)
        case .methodNotAllowed:
            let allowed = Field("allow", DeviceRoute.method)
            self.init(status: 405, fields: [allowed])
        case .stranger: self.init(.noAccountActivated)
        case .unavailable: self.init(.serverUnavailable)
        case .busy: self.init(.serverUnavailable, [Field("retry-after", "1")])
        }
    }

    private init(_ problem: Problem, _ fields: [Field] = []) {
        // Only times can be unwritable, and none of these problems has one.
        let body = (try? problem.written) ?? []
        let type = Field("content-type", Problem.contentType)
        self.init(status: problem.status, fields: [type] + fields, body: .bytes(body))
    }
}
