package import TransactionApproval

/// A message for the bank or a device, which is retried until it is delivered.
package struct Delivery: Equatable, Sendable {
    package enum Target: UInt8, CaseIterable, Sendable {
        /// The bank's webhook endpoint.
        case webhook = 1
        /// One of the person's devices.
        case push
    }

    package enum State: UInt8, Sendable {
        case waiting = 0
        /// Also if it became useless.
        case delivered
        /// Given up; an operator can retry it.
        case dead

        init(_ state: Unfinished) {
            self =
                switch state {
                case .waiting: .waiting
                case .dead: .dead
                }
        }
    }

    /// The states that an operator lists or waits for.
    package enum Unfinished: String, CaseIterable, Sendable {
        case waiting, dead
    }

    /// The number of its audit record, which is also its order within the account.
    package let sequence: UInt64
    package let target: Target
    /// The device to notify; nil if the message is for the bank.
    package let device: DeviceID?
    package let concern: EventConcern
    package let subject: String
    package private(set) var tries = 0
    /// When it was created, or retried by an operator.
    package private(set) var started: Timestamp
    /// Nil while an earlier one of the account is waiting.
    package private(set) var due: Timestamp?
    package private(set) var state = State.waiting

    /// About three days, so that it outlasts a weekend.
    package static let maximumTries = 108
    package static let maximumWait = Duration.seconds(60 * 60)
    static let maximumAge = Duration.seconds(3 * 24 * 60 * 60)

    /// Nil if it concerns a whole enterprise.
    package var account: AccountReference? { concern.account }

    /// Reserves it until `end`.
    mutating func lease(until end: Timestamp) {
        due = end
    }

    /// Delivered once, it can no longer fail.
    ///
    /// Its age counts from now.
    package mutating func succeed(at now: Timestamp) {
        guard state != .delivered else { return }
        state = .delivered
        due = now
    }

    /// Delays it while its receiver is paused; this is not an attempt.
    ///
    /// The delay grows with its age, so that a receiver's long outage causes few writes. It becomes
    /// dead when it is old and was attempted.
    mutating func postpone(at now: Timestamp, by wait: Duration, jitter: Double) {
        guard state == .waiting else { return }
        let age = now.elapsed(since: started)
        guard age < Self.maximumAge || tries == 0 else {
            state = .dead
            return
        }
        let longer = age / 4 * (1 - min(max(jitter, 0), 1) / 2)
        due = now + min(max(wait, longer), Self.maximumWait)
    }

    /// Delays it with exponential backoff up to the maximum, or makes it dead.
    ///
    /// `jitter`, from 0 to 1, shortens the delay by up to half, so that retries do not come at
    /// once. `minimumWait` is the delay that the receiver requires.
    package mutating func fail(at now: Timestamp, jitter: Double, minimumWait: Duration = .zero) {
        guard state == .waiting else { return }
        tries += 1
        guard tries < Self.maximumTries else {
            state = .dead
            return
        }
        // A larger shift would overflow.
        let wait = min(Duration.seconds(1 << min(tries, 32)), Self.maximumWait)
        let shortened = wait * (1 - min(max(jitter, 0), 1) / 2)
        due = now + max(shortened, min(minimumWait, Self.maximumWait))
    }

    /// Retries a dead delivery, at once or after earlier ones, or a waiting one at once.
    ///
    /// Returns false if it was delivered or waits for an earlier one. One that is due stays as it is.
    mutating func retry(
        at now: Timestamp,
        behindEarlier isBehind: Bool,
        events: inout [Event]
    ) -> Bool {
        switch state {
        case .delivered: return false
        case .waiting:
            guard let due else { return false }
            guard due > now else { return true }
            // Its age would make the next delay longer, if its receiver is paused.
            (started, self.due) = (now, now)
        case .dead:
            tries = 0
            started = now
            due = isBehind ? nil : now
            state = .waiting
        }
        events.append(Event(.deliveryRetried, of: sequence, within: concern, detail: "\(target)"))
        return true
    }
}

/// An unfinished delivery with its place in the order of its account.
package struct QueuedDelivery: Sendable {
    package let delivery: Delivery
    /// The record of the delivery that comes first; nil if it waits for none.
    package let waitsFor: UInt64?
}
