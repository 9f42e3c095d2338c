import StrictJSON
import TransactionApproval
import Verifier

extension Courier {
    func send(_ notice: Notice) async -> DeliveryOutcome {
        switch notice {
        case .event(let record):
            guard
                let enterprise = record.event.account?.enterprise,
                let webhook = addresses.events[enterprise],
                let message = WebhookMessage(record)
            else { return .needless }
            return await send(message, named: record.webhookID, to: webhook)
        case .push(let notice): return await wake(notice)
        }
    }

    /// FCM wakes whom it has an address of, and the bank's pusher all others.
    private func wake(_ notice: PushNotice) async -> DeliveryOutcome {
        var (tokens, others): ([(DeviceID, FCMToken)], [DeviceID]) = ([], [])
        for recipient in notice.recipients {
            if case .fcm(let token) = recipient.setting, addresses.fcm != nil {
                tokens.append((recipient.device, token))
            } else {
                others.append(recipient.device)
            }
        }
        async let pushed = push(notice, to: others)
        return await wake(notice, tokens).and(pushed)
    }

    private func push(_ notice: PushNotice, to devices: [DeviceID]) async -> DeliveryOutcome {
        guard !devices.isEmpty, let pusher = addresses.pushers[notice.enterprise] else {
            return .needless
        }
        let message = WebhookMessage(notice, to: devices)
        return await send(message, named: notice.record.webhookID, to: pusher)
    }

    private func wake(
        _ notice: PushNotice,
        _ tokens: [(DeviceID, FCMToken)]
    ) async -> DeliveryOutcome {
        guard let fcm = addresses.fcm else { return .needless }
        let life = notice.deadline.elapsed(since: verifier.now)
        return await withTaskGroup(of: DeliveryOutcome.self) { group in
            for (device, token) in tokens {
                group.addTask {
                    switch await fcm.send(notice.payload, to: token, livingFor: life) {
                    case .sent: .delivered
                    case .failed(let failure, let leastWait):
                        .failed(failure, leastWait: leastWait)
                    case .unknownToken: await drop(token, of: device)
                    }
                }
            }
            return await group.reduce(.needless) { $0.and($1) }
        }
    }

    private func drop(_ token: FCMToken, of device: DeviceID) async -> DeliveryOutcome {
        do throws(Verifier.Failure) {
            try await verifier.dropPush(token, of: device)
            return .needless
        } catch {
            metrics.count(error)
            return .failed(.unreadable)
        }
    }

    private func send(
        _ message: WebhookMessage<some Encodable & Sendable>,
        named id: String,
        to webhook: Webhook
    ) async -> DeliveryOutcome {
        // Identifiers and numbers of ours are always written.
        guard let body = try? StrictJSON.encode(message) else { return .failed(.unreadable) }
        return await webhook.send(body, named: id, at: .ofWallClock)
    }
}
