import StrictJSON
import TransactionApproval
package import Verifier

/// Tells banks what happened and has people's devices woken: it sends what the outbox holds until
/// that has arrived or is given up.
///
/// Every node over a store may have one: what one took, no other gets before its lease is over.
/// Whoever is told may be told twice, where a node ends between telling and noting it.
package struct Courier: Sendable {
    /// How late what another node put into the outbox, or what failed, may be taken.
    package static let standardInterval = Duration.seconds(1)

    let verifier: Verifier
    let addresses: Addresses
    let metrics: Metrics
    private let log: Log
    private let interval: Duration
    private let lanes = Delivery.Target.allCases.map { Lane(to: $0) }

    package init(
        _ verifier: Verifier,
        to addresses: Addresses,
        metrics: Metrics,
        log: Log,
        lookingEvery interval: Duration = standardInterval
    ) {
        self.verifier = verifier
        self.addresses = addresses
        self.metrics = metrics
        self.log = log
        self.interval = interval
        let lanes = lanes
        verifier.happenings.tell { kinds in
            guard kinds.contains(where: \.isDelivered) else { return }
            for lane in lanes { lane.look() }
        }
    }

    /// Returns once its task is cancelled, and what it was sending then has arrived or failed.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for lane in lanes { group.addTask { await serve(lane) } }
        }
    }

    private func serve(_ lane: Lane) async {
        await withDiscardingTaskGroup { group in
            group.addTask { [interval] in
                while !Task.isCancelled {
                    lane.look()
                    // Sleeping ends early only where the task is cancelled, which the loop sees.
                    try? await Task.sleep(for: interval)
                }
            }
            for await _ in lane.looks {
                for delivery in await take(from: lane) {
                    // A task of its own: what was begun is sent and noted, whoever is cancelled.
                    group.addTask {
                        await Task { await deliver(delivery) }.value
                        lane.leave()
                    }
                }
            }
        }
    }

    /// What is to be sent now.
    private func take(from lane: Lane) async -> [Delivery] {
        let room = lane.room
        guard room > 0 else { return [] }
        let taken: [Delivery]
        do throws(Verifier.Failure) {
            taken = try await verifier.takeDeliveries(to: lane.target, limit: room) {
                [addresses] in addresses.isForSomebody($0)
            }
        } catch {
            // The housekeeping says that the store fails; it is tried again in the next interval.
            metrics.count(error)
            return []
        }
        if taken.count == room { lane.look() }
        let sent = taken.filter { $0.state == .waiting }
        for _ in 0..<(taken.count - sent.count) { metrics.count(.needless, to: lane.target) }
        lane.enter(sent.count)
        return sent
    }

    private func deliver(_ delivery: Delivery) async {
        var (outcome, age) = (DeliveryOutcome.failed(.unreadable), Duration.zero)
        do throws(Verifier.Failure) {
            if let notice = try await verifier.notice(of: delivery) {
                outcome = await send(notice)
                age = verifier.now.elapsed(since: notice.record.moment)
            } else {
                outcome = .needless
            }
        } catch {
            metrics.count(error)
        }
        // Nobody was asked, so that was no try.
        if outcome.isTry {
            let arrived = outcome == .delivered ? age : nil
            metrics.count(outcome, to: delivery.target, age: arrived)
        }
        await note(outcome, of: delivery)
    }

    private func note(_ outcome: DeliveryOutcome, of delivery: Delivery) async {
        let result: Verifier.DeliveryResult =
            switch outcome {
            case .delivered, .needless: .delivered
            case .failed(_, let leastWait):
                .failed(jitter: .random(in: 0...1), leastWait: leastWait)
            case .postponed(let wait):
                .postponed(by: wait, jitter: .random(in: 0...1))
            }
        do throws(Verifier.Failure) {
            let state = try await verifier.note(result, of: delivery)
            switch (outcome, state) {
            case (.failed, _), (.postponed, .dead): tell(outcome, of: delivery, nowIn: state)
            // There was time for it no more.
            case (.postponed, .delivered): metrics.count(.needless, to: delivery.target)
            default: break
            }
        } catch {
            // It is due again when its lease is over.
            metrics.count(error)
        }
    }

    private func tell(
        _ outcome: DeliveryOutcome,
        of delivery: Delivery,
        nowIn state: Delivery.State?
    ) {
        let isDead = state == .dead
        log.write(
            isDead ? .error : .info,
            isDead ? "delivery given up" : "delivery failed",
            [
                "sequence": .number(JSONNumber(delivery.sequence)),
                "target": .string("\(delivery.target)"),
                "outcome": .string(outcome.text),
                "tries": .number(JSONNumber(delivery.tries + (outcome.isTry ? 1 : 0))),
            ]
        )
    }
}

extension Notice {
    fileprivate var record: AuditRecord {
        switch self {
        case .event(let record): record
        case .push(let notice): notice.record
        }
    }
}

extension Event.Kind {
    /// Whether somebody may have to be told of it.
    fileprivate var isDelivered: Bool { isToldToBank || self == .transactionCreated }
}
