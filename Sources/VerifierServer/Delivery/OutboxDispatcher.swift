import BankIntegration
package import ServerOperation
import StrictJSON
import TransactionApproval
package import Verification

/// Delivers the outbox: events to banks and wake-ups to devices.
///
/// Each node can run one: a lease keeps a delivery from other nodes. A receiver can get a delivery
/// twice if a node ends before it records the result.
package struct OutboxDispatcher: Sendable {
    /// The maximum delay for deliveries of other nodes and for retries.
    package static let defaultInterval = Duration.seconds(1)

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
        lookingEvery interval: Duration = defaultInterval
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

    /// Returns when its task is cancelled and the deliveries in progress are recorded.
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
                    // A sleep ends early only if the task is cancelled, which the loop checks.
                    try? await Task.sleep(for: interval)
                }
            }
            for await _ in slots.looks {
                for delivery in await take(from: slots) {
                    // A task of its own, so that cancellation does not interrupt a delivery.
                    group.addTask {
                        await Task { await deliver(delivery) }.value
                        slots.end(delivery.concern.enterprise)
                    }
                }
            }
        }
    }

    /// Takes the deliveries to send now.
    private func take(from slots: DeliverySlots) async -> [Delivery] {
        let shares = slots.shares
        guard shares.freeCount > 0 else { return [] }
        let taken: [Delivery]
        do throws(Verifier.Failure) {
            taken = try await verifier.takeDeliveries(
                to: slots.target,
                limit: shares.freeCount,
                shares: shares
            ) { [addresses] in addresses.hasReceiver(of: $0) }
        } catch {
            // The monitor of outages logs it; the next interval tries again.
            metrics.count(error)
            return []
        }
        // Deliveries of other enterprises may come next.
        if !taken.isEmpty { slots.look() }
        let sent = taken.filter { $0.state == .waiting }
        for _ in 0..<(taken.count - sent.count) { metrics.countDropped(to: slots.target) }
        for delivery in sent { slots.begin(delivery.concern.enterprise) }
        return sent
    }

    private func deliver(_ delivery: Delivery) async {
        // Nil for a delivery that is dropped.
        var (outcome, age) = (SendResult?.some(.failed(.unavailable)), Duration.zero)
        do throws(Verifier.Failure) {
            if let notice = try await verifier.notice(of: delivery) {
                outcome = await send(notice)
                age = verifier.now.elapsed(since: notice.record.moment)
            } else {
                outcome = nil
            }
        } catch {
            metrics.count(error)
        }
        switch outcome {
        case nil: metrics.countDropped(to: delivery.target)
        // Not an attempt.
        case .postponed?: break
        case .delivered?: metrics.count(.delivered, to: delivery.target, age: age)
        case .failed(let failure, _)?: metrics.count(.failed(failure), to: delivery.target)
        }
        await note(outcome, of: delivery)
    }

    private func note(_ outcome: SendResult?, of delivery: Delivery) async {
        let result: Verifier.DeliveryResult =
            switch outcome {
            case .delivered?, nil: .delivered
            case .failed(_, let minimumWait)?:
                .failed(jitter: .random(in: 0...1), minimumWait: minimumWait)
            case .postponed(let wait)?:
                .postponed(by: wait, jitter: .random(in: 0...1))
            }
        do throws(Verifier.Failure) {
            let state = try await verifier.note(result, of: delivery)
            guard let outcome else { return }
            switch (outcome, state) {
            case (.failed, _), (.postponed, .dead): logFailure(outcome, of: delivery, nowIn: state)
            // The transaction ended before the next attempt.
            case (.postponed, .delivered): metrics.countDropped(to: delivery.target)
            default: break
            }
        } catch {
            // It is due again when its lease ends.
            metrics.count(error)
        }
    }

    private func logFailure(
        _ outcome: SendResult,
        of delivery: Delivery,
        nowIn state: Delivery.State?
    ) {
        let isDead = state == .dead
        log.write(
            isDead ? .error : .info,
            isDead ? "delivery is a dead letter" : "delivery failed",
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
        case .event(let notice): notice.record
        case .push(let notice): notice.record
        }
    }
}
