import StrictJSON
import TransactionApproval
package import Verification

/// Tells banks what happened and has people's devices woken: it sends what the outbox holds until
/// that has arrived or is given up.
///
/// Every node over a store may have one: what one took, no other gets before its lease is over.
/// Whoever is told may be told twice, where a node ends between telling and noting it.
package struct OutboxDispatcher: Sendable {
    /// How late what another node put into the outbox, or what failed, may be taken.
    package static let standardInterval = Duration.seconds(1)

    let verifier: Verifier
    let addresses: Addresses
    let metrics: Metrics
    private let log: Log
    private let interval: Duration
    private let slots = Delivery.Target.allCases.map { DeliverySlots(to: $0) }

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
        let slots = slots
        verifier.notifier.addObserver { kinds in
            guard kinds.contains(where: \.isDelivered) else { return }
            for slots in slots { slots.look() }
        }
    }

    /// Returns once its task is cancelled, and what it was sending then has arrived or failed.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for slots in slots { group.addTask { await serve(slots) } }
        }
    }

    private func serve(_ slots: DeliverySlots) async {
        await withDiscardingTaskGroup { group in
            group.addTask { [interval] in
                while !Task.isCancelled {
                    slots.look()
                    // Sleeping ends early only where the task is cancelled, which the loop sees.
                    try? await Task.sleep(for: interval)
                }
            }
            for await _ in slots.looks {
                for delivery in await take(from: slots) {
                    // A task of its own: what was begun is sent and noted, whoever is cancelled.
                    group.addTask {
                        await Task { await deliver(delivery) }.value
                        slots.leave()
                    }
                }
            }
        }
    }

    /// What is to be sent now.
    private func take(from slots: DeliverySlots) async -> [Delivery] {
        let room = slots.room
        guard room > 0 else { return [] }
        let taken: [Delivery]
        do throws(Verifier.Failure) {
            taken = try await verifier.takeDeliveries(to: slots.target, limit: room) {
                [addresses] in addresses.isForSomebody($0)
            }
        } catch {
            // The housekeeping says that the store fails; it is tried again in the next interval.
            metrics.count(error)
            return []
        }
        if taken.count == room { slots.look() }
        let sent = taken.filter { $0.state == .waiting }
        for _ in 0..<(taken.count - sent.count) { metrics.count(.needless, to: slots.target) }
        slots.enter(sent.count)
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
            case .failed(_, let minimumWait):
                .failed(jitter: .random(in: 0...1), minimumWait: minimumWait)
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
    fileprivate var isDelivered: Bool { notifiesBank || self == .transactionCreated }
}
