import PrivateFiles

/// The parts of the background work that begin with a change.
enum BackgroundWork: CaseIterable, Sendable {
    /// The ends of transactions are awaited.
    case following
    /// The verifier is called to create and to withdraw transactions.
    case calling
    /// Results are sent.
    case delivering
    /// The issuer's own programs get events.
    case sendingEvents
}

/// Wakes tasks of this process that wait for a change of a challenge.
final class ChallengeChanges: Sendable {
    private let waiting = LockedValue(Waiting())

    fileprivate struct Waiting {
        var last = 0
        /// Whether requests no longer wait, because the process ends.
        var hasEnded = false
        var places: [Subject: [Int: Place]] = [:]
    }

    fileprivate enum Subject: Hashable {
        case challenge(String)
        case work(BackgroundWork)
    }

    fileprivate enum Place {
        /// The caller still looks at the row.
        case open
        case changed
        case waiting(CheckedContinuation<Void, Never>)
    }

    /// A place that also notices changes from before the wait.
    struct Ticket: Sendable {
        fileprivate let subject: Subject
        fileprivate let number: Int
    }

    /// Each ticket must be used for one `wait`, or returned by `discard`.
    func ticket(for id: String) -> Ticket {
        waiting.withLock { waiting in
            waiting.add(.challenge(id), as: waiting.hasEnded ? .changed : .open)
        }
    }

    /// The same for changes that concern a part of the background work.
    func ticket(for work: BackgroundWork) -> Ticket {
        waiting.withLock { $0.add(.work(work), as: .open) }
    }

    /// Lets all requests return now and from now on; the background work continues.
    func endWaits() {
        let subjects = waiting.withLock { waiting in
            waiting.hasEnded = true
            return waiting.places.keys.filter { if case .challenge = $0 { true } else { false } }
        }
        wake(subjects)
    }

    var hasEnded: Bool { waiting.withLock { $0.hasEnded } }

    func discard(_ ticket: Ticket) {
        waiting.withLock { waiting in _ = waiting.remove(ticket) }
    }

    /// Returns at the next change since the ticket, after `limit`, or when the task is cancelled.
    func wait(_ ticket: Ticket, atMost limit: Duration) async {
        await withTaskGroup { group in
            group.addTask { await self.wait(ticket) }
            group.addTask {
                // Ends early only if the group is cancelled.
                try? await Task.sleep(for: limit)
                self.wake(ticket)
            }
            await group.next()
            group.cancelAll()
            wake(ticket)
        }
    }

    func changed(_ id: String, concerning works: Set<BackgroundWork>) {
        wake([.challenge(id)] + works.map { .work($0) })
    }

    private func wake(_ subjects: [Subject]) {
        let continuations = waiting.withLock { waiting in
            var continuations: [CheckedContinuation<Void, Never>] = []
            for subject in subjects {
                for (number, place) in waiting.places[subject] ?? [:] {
                    if case .waiting(let continuation) = place {
                        continuations.append(continuation)
                    }
                    waiting.places[subject]?[number] = .changed
                }
            }
            return continuations
        }
        for continuation in continuations { continuation.resume() }
    }

    private func wait(_ ticket: Ticket) async {
        await withCheckedContinuation { continuation in
            let isOver = waiting.withLock { waiting in
                guard case .open? = waiting.places[ticket.subject]?[ticket.number] else {
                    return true
                }
                waiting.places[ticket.subject]?[ticket.number] = .waiting(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func wake(_ ticket: Ticket) {
        let place = waiting.withLock { waiting in waiting.remove(ticket) }
        if case .waiting(let continuation)? = place { continuation.resume() }
    }
}

extension ChallengeChanges.Waiting {
    fileprivate mutating func add(
        _ subject: ChallengeChanges.Subject,
        as place: ChallengeChanges.Place
    ) -> ChallengeChanges.Ticket {
        last += 1
        places[subject, default: [:]][last] = place
        return ChallengeChanges.Ticket(subject: subject, number: last)
    }

    fileprivate mutating func remove(
        _ ticket: ChallengeChanges.Ticket
    ) -> ChallengeChanges.Place? {
        let place = places[ticket.subject]?.removeValue(forKey: ticket.number)
        if places[ticket.subject]?.isEmpty == true { places[ticket.subject] = nil }
        return place
    }
}
