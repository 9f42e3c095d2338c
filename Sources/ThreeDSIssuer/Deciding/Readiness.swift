package import Transactions

/// Whether the person of a card could approve now, as the verifier returned it.
package enum Readiness: Equatable, Sendable {
    /// The verifier returned nothing that can be read, in time.
    case unreachable
    case reported(Report)

    /// The members of the response of the bank's API.
    package struct Report: Equatable, Sendable {
        let isReady: Bool
        let ways: AuthenticationTypes
        /// Nil if the limits of card payments accept a request now.
        let retryAfterSeconds: Int?
        /// Whether nothing notifies the person, for example after they rejected a request.
        package let isMuted: Bool
        /// Whether the person types a number that the ACS shows.
        let needsNumber: Bool
        /// The longest time that the policy allows for an approval; nil if it is not known.
        let transactionSeconds: Int?

        package init(
            isReady: Bool,
            ways: AuthenticationTypes,
            retryAfterSeconds: Int? = nil,
            isMuted: Bool = false,
            needsNumber: Bool = false,
            transactionSeconds: Int? = nil
        ) {
            self.isReady = isReady
            self.ways = ways
            self.retryAfterSeconds = retryAfterSeconds
            self.isMuted = isMuted
            self.needsNumber = needsNumber
            self.transactionSeconds = transactionSeconds
        }
    }

    var isMuted: Bool { report?.isMuted ?? false }

    var needsNumber: Bool { report?.needsNumber ?? false }

    var transactionSeconds: Int? { report?.transactionSeconds }

    private var report: Report? {
        if case .reported(let report) = self { report } else { nil }
    }

    /// Nil if the person could approve in one of `ways`.
    func refusal(toApproveBy ways: AuthenticationTypes) -> Refusal? {
        guard let report else { return .verifierUnreachable }
        if report.ways.isDisjoint(with: ways) { return .notReady }
        if report.retryAfterSeconds != nil { return .tooManyRequests }
        return report.isReady ? nil : .notReady
    }
}
