import BankIntegration
import ServerOperation
import StrictJSON
import TransactionApproval
import Verification

extension OutboxDispatcher {
    /// Nil if there is no receiver, or nothing to deliver any more.
    func send(_ notice: Notice) async -> SendResult? {
        switch notice {
        case .event(let notice):
            guard
                let enterprise = notice.record.event.concern?.enterprise,
                let webhook = addresses.events[enterprise],
                let message = WebhookMessage(notice)
            else { return nil }
            return await send(message, named: notice.record.webhookID, to: webhook)
        case .push(let notice): return await wake(notice)
        }
    }

    /// The bank's push service wakes the devices that have no push service of their own here.
    private func wake(_ notice: PushNotice) async -> SendResult? {
        let life = notice.deadline.elapsed(since: verifier.now)
        if case .fcm(let token) = notice.setting, let fcm = addresses.fcm {
            return await result(of: notice, fcm.send(notice.payload, to: token, livingFor: life))
        }
        if case .web(let subscription) = notice.setting {
            guard let service = addresses.webPush else { return nil }
            let sent = await service.send(notice.payload, to: subscription, livingFor: life)
            return await result(of: notice, sent)
        }
        guard let pusher = addresses.pushers[notice.enterprise] else { return nil }
        return await send(WebhookMessage(notice), named: notice.webhookID, to: pusher)
    }

    private func result(of notice: PushNotice, _ outcome: PushOutcome) async -> SendResult? {
        switch outcome {
        case .sent: .delivered
        case .failed(let failure, let minimumWait): .failed(failure, minimumWait: minimumWait)
        case .postponed(let wait): .postponed(by: wait)
        case .notAllowed: nil
        case .unknownDevice: await drop(notice.setting, of: notice.device)
        }
    }

    private func drop(_ setting: PushSetting, of device: DeviceID) async -> SendResult? {
        do throws(Verifier.Failure) {
            let isDropped = try await verifier.dropPush(setting, of: device)
            // The device has a newer address, so this attempt is retried with it.
            return isDropped ? nil : .failed(.refused(status: 404))
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
