import StrictJSON
import TransactionApproval
import Verification

extension OutboxDispatcher {
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

    /// FCM wakes what it has an address of, and the bank's pusher all others.
    private func wake(_ notice: PushNotice) async -> DeliveryOutcome {
        if case .fcm(let token) = notice.setting, let fcm = addresses.fcm {
            return await wake(notice, token, by: fcm)
        }
        guard let pusher = addresses.pushers[notice.enterprise] else { return .needless }
        return await send(WebhookMessage(notice), named: notice.webhookID, to: pusher)
    }

    private func wake(
        _ notice: PushNotice,
        _ token: FCMToken,
        by fcm: FCM
    ) async -> DeliveryOutcome {
        let life = notice.deadline.elapsed(since: verifier.now)
        return switch await fcm.send(notice.payload, to: token, livingFor: life) {
        case .sent: .delivered
        case .failed(let failure, let minimumWait): .failed(failure, minimumWait: minimumWait)
        case .postponed(let wait): .postponed(by: wait)
        case .unknownToken: await drop(token, of: notice.device)
        }
    }

    private func drop(_ token: FCMToken, of device: DeviceID) async -> DeliveryOutcome {
        do throws(Verifier.Failure) {
            let isDropped = try await verifier.dropPush(token, of: device)
            // Where it said something else since, it is woken by that.
            return isDropped ? .needless : .failed(.refused(status: 404))
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
