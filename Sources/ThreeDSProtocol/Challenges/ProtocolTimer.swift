/// The times that the protocol gives to its parties.
package enum ProtocolTimer: Sendable {
    /// At the ACS, from the ARes to the first CReq.
    case firstChallengeRequest
    /// At the ACS, from a CRes that is not the last one to the next CReq.
    case nextChallengeRequest
    /// At the ACS, from a page in a browser to the next action of the person.
    case browserPage
    /// At the SDK, from a CReq to its CRes.
    case challengeResponse
    /// At the ACS, from an RReq to its RRes, unless the directory server has a longer time.
    case resultsResponse

    package var duration: Duration {
        switch self {
        case .firstChallengeRequest: .seconds(30)
        case .nextChallengeRequest, .browserPage: .seconds(600)
        case .challengeResponse: .seconds(10)
        case .resultsResponse: .seconds(5)
        }
    }
}

/// When an RReq that did not reach its receiver is sent again.
package enum ResultDelivery {
    /// At once after the first failure, and then every ten seconds.
    package static func delay(afterFailures count: Int) -> Duration {
        count <= 1 ? .zero : .seconds(10)
    }
}

/// How often a 3DS server may ask for card ranges: at most once an hour.
package struct PreparationLimit: Sendable {
    private var last: Duration?

    package init() {}

    /// Nil if the request is allowed at `now`, a time of a clock that never goes back.
    package mutating func refusal(at now: Duration) -> MessageErrorCode? {
        if let last, now - last < .seconds(3600) { return .messageLimitExceeded }
        last = now
        return nil
    }
}
