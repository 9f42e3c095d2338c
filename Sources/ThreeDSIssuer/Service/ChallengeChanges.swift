import PrivateFiles

/// Wakes tasks of this process that wait for a change of a challenge.
final class ChallengeChanges: Sendable {
    private let waiting = LockedValue(Waiting())

    fileprivate struct Waiting {
        var last = 0
        /// Whether requests no longer wait, because the process ends.
        var hasEnded = false
        var places: [String: [Int: Place]] = [:]
    }

    fileprivate enum Place {
        /// The caller still looks at the row.
        case open
        case changed
        case waiting(CheckedContinuation<Void, Never>)
    }

    /// A place that also notices changes from before the wait.
    struct Ticket: Sendable {
        fileprivate let id: String
        fileprivate let number: Int
    }

    /// Each ticket must be used for one `wait`, or returned by `discard`.
    func ticket(for id: String) -> Ticket {
        waiting.withLock { waiting in
            waiting.last += 1
            let isOver = waiting.hasEnded && id != Self.all
            waiting.places[id, default: [:]][waiting.last] = isOver ? .changed : .open
            return Ticket(id: id, number: waiting.last)
        }
    }

    /// The same for changes of all challenges.
    func ticketForAll() -> Ticket { ticket(for: Self.all) }

    private static let all = ""

    /// Lets all requests return now and from now on; the background work continues.
    func endWaits() {
        let ids = waiting.withLock { waiting in
            waiting.hasEnded = true
            return waiting.places.keys.filter { $0 != Self.all }
        }
        for id in ids { changed(id) }
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

    func changed(_ id: String) {
        let continuations = waiting.withLock { waiting in
            var continuations: [CheckedContinuation<Void, Never>] = []
            for id in [id, Self.all] {
                for (number, place) in waiting.places[id] ?? [:] {
                    if case .waiting(let continuation) = place {
                        continuations.append(continuation)
                    }
                    waiting.places[id]?[number] = .changed
                }
            }
            return continuations
        }
        for continuation in continuations { continuation.resume() }
    }

    private func wait(_ ticket: Ticket) async {
        await withCheckedContinuation { continuation in
            let isOver = waiting.withLock { waiting in
                guard case .open? = waiting.places[ticket.id]?[ticket.number] else { return true }
                waiting.places[ticket.id]?[ticket.number] = .waiting(continuation)
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
    fileprivate mutating func remove(
        _ ticket: ChallengeChanges.Ticket
    ) -> ChallengeChanges.Place? {
        let place = places[ticket.id]?.removeValue(forKey: ticket.number)
        if places[ticket.id]?.isEmpty == true { places[ticket.id] = nil }
        return place
    }
}
