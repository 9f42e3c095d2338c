/// The times that the protocol gives to its parties, and the end of each.
package enum ProtocolTimer: CaseIterable, Sendable {
    /// At the ACS, from the ARes to the first CReq.
    case firstChallengeRequest
    /// At the ACS, from a CRes that is not the last one to the next CReq.
    case nextChallengeRequest
    /// At the ACS, from a page in a browser to the next action of the person.
    case browserPage
    /// At the SDK, from a CReq to its CRes.
    case challengeResponse
    /// At the ACS and at the directory server, from an RReq to its RRes.
    case resultsResponseAtACS
    case resultsResponseAtDirectory
    /// At the 3DS server, from the start of the 3DS Method to its notification.
    case method
    /// At the 3DS server, after the time of decoupled authentication.
    case decoupledGrace

    package var duration: Duration {
        switch self {
        case .firstChallengeRequest: .seconds(30)
        case .nextChallengeRequest, .browserPage: .seconds(600)
        case .challengeResponse, .method: .seconds(10)
        case .resultsResponseAtACS: .seconds(5)
        case .resultsResponseAtDirectory: .seconds(3)
        case .decoupledGrace: .seconds(30)
        }
    }

    package enum Expiry: Equatable, Sendable {
        /// An RReq with this report, and in a browser a CRes with N.
        case report(ResultReport, closesPage: Bool)
        case error(ErrorCode, from: Component)
        /// `threeDSCompInd` is N.
        case methodIncomplete
        /// No result came: the purchase is not authenticated.
        case noResult
    }

    package var expiry: Expiry {
        switch self {
        case .firstChallengeRequest: .report(.notBegun, closesPage: false)
        case .nextChallengeRequest: .report(.expired, closesPage: false)
        case .browserPage: .report(.expired, closesPage: true)
        case .challengeResponse: .error(.timedOut, from: .sdk)
        case .resultsResponseAtACS: .error(.timedOut, from: .acs)
        case .resultsResponseAtDirectory: .error(.timedOut, from: .directory)
        case .method: .methodIncomplete
        case .decoupledGrace: .noResult
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
    package mutating func refusal(at now: Duration) -> ErrorCode? {
        if let last, now - last < .seconds(3600) { return .messageLimitExceeded }
        last = now
        return nil
    }
}
