package import StrictJSON

/// The request and the response of one route.
package protocol DeviceExchange {
    associatedtype Request: DeviceMessage
    associatedtype Response: DeviceMessage

    static var route: DeviceRoute { get }
}

/// The result of a request: a response or a refusal.
package enum Outcome<Response: DeviceMessage>: Equatable, Sendable {
    case done(Response)
    case refused(Problem)
}

// MARK: As HTTP

extension DeviceExchange {
    package static func message(
        _ request: Request,
        to server: ServerOrigin
    ) throws(StrictJSON.Unwritable) -> RequestMessage {
        RequestMessage(
            method: DeviceRoute.method,
            targetURI: server.text + route.path,
            contentType: DeviceRoute.contentType,
            body: try request.written
        )
    }

    package static func message(
        _ outcome: Outcome<Response>
    ) throws(StrictJSON.Unwritable) -> ResponseMessage {
        switch outcome {
        case .done(let response):
            ResponseMessage(
                status: 200,
                contentType: DeviceRoute.contentType,
                body: try response.written
            )
        case .refused(let problem):
            ResponseMessage(
                status: problem.status,
                contentType: Problem.contentType,
                body: try problem.written
            )
        }
    }

    /// Nil if it is neither; the result is then unknown.
    package static func outcome(of message: ResponseMessage) -> Outcome<Response>? {
        // The reason does not matter: `try?` twice.
        switch message.contentType {
        case DeviceRoute.contentType where message.status == 200:
            return (try? Response(reading: message.body)).map { .done($0) }
        case Problem.contentType:
            guard
                let problem = try? Problem(reading: message.body), problem.status == message.status
            else { return nil }
            return .refused(problem)
        default: return nil
        }
    }
}
