import ThreeDSProtocol
package import Transactions

/// The result of a challenge, and its time, as operators see it.
package struct DecidedResult: Equatable, Sendable {
    package let time: Timestamp
    /// `transStatus`.
    package let status: String
    /// `transStatusReason`; nil for an approval.
    package let reason: String?

    init(time: Timestamp, status: String, reason: String?) {
        (self.time, self.status, self.reason) = (time, status, reason)
    }

    init(_ report: ResultReport, in version: ProtocolVersion, at time: Timestamp) {
        self.time = time
        status = report.status.rawValue
        reason = report.reason(in: version)?.rawValue
    }

    var isTimedOut: Bool { reason == ResultReport.Reason.timedOut.rawValue }
}
