package import StrictJSON

/// What goes to one route, and what comes back.
package protocol DeviceExchange {
    associatedtype Request: DeviceMessage
    associatedtype Response: DeviceMessage

    static var route: DeviceRoute { get }
}

/// What a verifier says to a request: what was asked for, or why not.
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
        case .done(let answer):
            ResponseMessage(
                status: 200,
                contentType: DeviceRoute.contentType,
                body: try answer.written
            )
        case .refused(let problem):
            ResponseMessage(
                status: problem.status,
                contentType: Problem.contentType,
                body: try problem.written
            )
        }
    }

    /// Nil where it is neither: the result is unknown then, as it is without an answer.
    package static func outcome(of message: ResponseMessage) -> Outcome<Response>? {
        // Why it is unknown does not matter: `try?` twice.
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
