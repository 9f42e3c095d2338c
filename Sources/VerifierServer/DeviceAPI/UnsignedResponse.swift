import HTTPServer
import TransactionApproval

/// The answers that nobody signs, since nobody showed by a signature that they asked.
///
/// To a device each of them says that the result is unknown, and no more.
enum UnsignedResponse: Error, CaseIterable {
    /// No path of a device.
    case notFound
    case methodNotAllowed
    /// No good signature of a device that is known here, or one that came before: one answer.
    case stranger
    /// Whether the signature is good cannot be told now; of no device more than of another.
    case unavailable
}

extension Answered {
    init(_ answer: UnsignedResponse, by route: DeviceRoute?) {
        self.init(Response(answer), by: route?.name, outcome: answer.word)
    }
}

extension DeviceRoute {
    /// What a report calls it.
    var name: String { "\(Self.method) \(path)" }
}

extension Outcome {
    /// What a report says of it.
    var word: String {
        switch self {
        case .done: Answered.done
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
        case .unavailable: Problem.serverUnavailable.code.rawValue
        }
    }
}

extension Response {
    fileprivate init(_ answer: UnsignedResponse) {
        switch answer {
        case .notFound: self.init(status: 404)
        case .methodNotAllowed:
            let allowed = Field("allow", DeviceRoute.method)
            self.init(status: 405, fields: [allowed])
        case .stranger: self.init(.noAccountActivated)
        case .unavailable: self.init(.serverUnavailable)
        }
    }

    private init(_ problem: Problem) {
        // Only a moment can be unwritable, and none of these problems has one.
        let body = (try? problem.written) ?? []
        let type = Field("content-type", Problem.contentType)
        self.init(status: problem.status, fields: [type], body: .bytes(body))
    }
}
