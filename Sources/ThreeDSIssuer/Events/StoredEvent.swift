import BankIntegration
import Transactions

/// The event of a result, until the issuer has it.
struct StoredEvent: Sendable {
    /// `acsTransID`.
    let authentication: String
    let made: Timestamp
    /// JSON.
    let body: [UInt8]
    /// When it is sent next; nil if it was given up.
    private(set) var due: Timestamp?
    /// When its attempts began.
    private(set) var started: Timestamp
    private(set) var tries = 0

    /// It outlasts a weekend.
    private static let maximumAge = Duration.seconds(3 * 86_400)
    private static let maximumWait = Duration.seconds(3600)

    init(of authentication: String, _ body: [UInt8], at now: Timestamp) {
        (self.authentication, self.body, made) = (authentication, body, now)
        (due, started) = (now, now)
    }

    init(
        of authentication: String,
        _ body: [UInt8],
        made: Timestamp,
        due: Timestamp?,
        started: Timestamp,
        tries: Int
    ) {
        (self.authentication, self.body, self.made) = (authentication, body, made)
        (self.due, self.started, self.tries) = (due, started, tries)
    }

    /// The same in every attempt.
    var id: String { "msg_" + authentication.filter { $0 != "-" } }

    /// Reserves it until `end`.
    mutating func lease(until end: Timestamp) { due = end }

    /// Delays it with exponential backoff, or gives it up after three days.
    ///
    /// `jitter`, from 0 to 1, shortens the delay by up to half, so that attempts do not come at
    /// once.
    mutating func fail(at now: Timestamp, jitter: Double, minimumWait: Duration) {
        tries += 1
        guard !isOld(at: now) else { return due = nil }
        let wait = min(Duration.seconds(1 << min(tries, 12)), Self.maximumWait)
        let shortened = wait * (1 - min(max(jitter, 0), 1) / 2)
        due = now + max(shortened, min(minimumWait, Self.maximumWait))
    }

    /// Delays it while its receiver is paused; this is not an attempt.
    mutating func postpone(at now: Timestamp, by wait: Duration) {
        guard !isOld(at: now) || tries == 0 else { return due = nil }
        due = now + min(max(wait, .seconds(1)), Self.maximumWait)
    }

    /// Sends it again now, as for the first time.
    mutating func retry(at now: Timestamp) { (due, started, tries) = (now, now, 0) }

    private func isOld(at now: Timestamp) -> Bool {
        now.elapsed(since: started) >= Self.maximumAge
    }
}
