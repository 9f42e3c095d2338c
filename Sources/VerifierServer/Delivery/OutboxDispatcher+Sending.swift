import StrictJSON
import TransactionApproval
import Verification

extension OutboxDispatcher {
    func send(_ notice: Notice) async -> SendResult {
        switch notice {
        case .event(let notice):
            guard
                let enterprise = notice.record.event.concern?.enterprise,
                let webhook = addresses.events[enterprise],
                let message = WebhookMessage(notice)
            else { return .dropped }
            return await send(message, named: notice.record.webhookID, to: webhook)
        case .push(let notice): return await wake(notice)
        }
    }

    /// FCM wakes devices with an FCM token; the bank's push service wakes the others.
    private func wake(_ notice: PushNotice) async -> SendResult {
        if case .fcm(let token) = notice.setting, let fcm = addresses.fcm {
            return await wake(notice, token, by: fcm)
        }
        guard let pusher = addresses.pushers[notice.enterprise] else { return .dropped }
        return await send(WebhookMessage(notice), named: notice.webhookID, to: pusher)
    }

    private func wake(
        _ notice: PushNotice,
        _ token: FCMToken,
        by fcm: FCM
    ) async -> SendResult {
        let life = notice.deadline.elapsed(since: verifier.now)
        return switch await fcm.send(notice.payload, to: token, livingFor: life) {
        case .sent: .delivered
        case .failed(let failure, let minimumWait): .failed(failure, minimumWait: minimumWait)
        case .postponed(let wait): .postponed(by: wait)
        case .unknownToken: await drop(token, of: notice.device)
        }
    }

    private func drop(_ token: FCMToken, of device: DeviceID) async -> SendResult {
        do throws(Verifier.Failure) {
            let isDropped = try await verifier.dropPush(token, of: device)
            // The device has a newer token, so this attempt is retried with it.
            return isDropped ? .dropped : .failed(.refused(status: 404))
        } catch {
            metrics.count(error)
            return .failed(.unavailable)
        }
    }

    private func send(
        _ message: WebhookMessage<some Encodable & Sendable>,
        named id: String,
        to webhook: Webhook
    ) async -> SendResult {
        // Our identifiers and numbers can always be written.
        guard let body = try? StrictJSON.encode(message) else { return .failed(.unavailable) }
        return await webhook.send(body, named: id, at: .ofWallClock)
    }
}
