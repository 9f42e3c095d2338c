import BankIntegration
import Cryptography
package import HTTPClient
import ServerOperation
import StrictJSON
import TransactionApproval
import Verification

/// The push services of browsers (RFC 8030), which wake devices in a browser.
package struct WebPush: Sendable {
    /// Those of Chrome and Edge on Android, Firefox, Edge on Windows, and Safari.
    package static let defaultServices = [
        "fcm.googleapis.com", "updates.push.services.mozilla.com", "*.notify.windows.com",
        "web.push.apple.com",
    ]

    private let identity: VAPID
    private let services: [PushService]
    private let client: HTTPClient
    let cooldowns = HostCooldowns()

    package init(_ identity: VAPID, to services: [PushService], over client: HTTPClient) {
        self.identity = identity
        self.services = services
        self.client = client
    }

    /// Browsers subscribe for it.
    var publicKey: P256.PublicKey { identity.publicKey }

    /// Whether the configuration allows this address; all others could be any server.
    func takes(_ subscription: WebPushSubscription) -> Bool {
        services.contains { $0.takes(subscription.host) }
    }

    /// Wakes a browser; the message expires after `life`.
    func send(
        _ payload: PushPayload,
        to subscription: WebPushSubscription,
        livingFor life: Duration
    ) async -> PushOutcome {
        guard takes(subscription) else { return .notAllowed }
        let host = subscription.origin
        if let wait = cooldowns.remaining(of: host) { return .postponed(by: wait) }
        do {
            let request = try await request(payload, to: subscription, livingFor: life)
            return outcome(of: try await client.send(request), from: host)
        } catch let failure as HTTPFailure {
            if failure.isSilence { cooldowns.begin(for: Cooldown.afterSilence, of: host) }
            return .failed(.init(failure))
        } catch {
            return .failed(.unavailable)
        }
    }

    private func request(
        _ payload: PushPayload,
        to subscription: WebPushSubscription,
        livingFor life: Duration
    ) async throws -> HTTPRequest {
        let content = try StrictJSON.encode(PushContent.Payload(payload))
        let message = try WebPushMessage(content, for: subscription)
        let authorization = try await identity.authorization(
            at: subscription.origin.text,
            .ofWallClock
        )
        let headers = [
            HTTPHeaderLine("Authorization", authorization),
            HTTPHeaderLine("Content-Encoding", WebPushMessage.coding),
            HTTPHeaderLine("Content-Type", "application/octet-stream"),
            HTTPHeaderLine("TTL", "\(max(1, life.components.seconds))"),
            HTTPHeaderLine("Urgency", "high"),
        ]
        return HTTPRequest(
            .post(message.body),
            subscription.endpoint,
            headers: headers,
            ignoringBodyOfSuccess: true
        )
    }

    private func outcome(of response: HTTPResponse, from host: ServerOrigin) -> PushOutcome {
        switch response.status {
        case 200...202: return .sent
        // The person or the browser ended the subscription (RFC 8030, section 7.3).
        case 404, 410: return .unknownDevice
        default:
            let wait = response.pushWait
            // All others are about this message or this subscription, also 429 (RFC 8030, section 8.4).
            if response.status >= 500 { cooldowns.begin(for: wait, of: host) }
            return .failed(.refused(status: response.status), minimumWait: wait)
        }
    }
}

extension HTTPFailure {
    /// Whether the host does not respond; all others are about one message or this machine.
    fileprivate var isSilence: Bool {
        switch self {
        case .networkUnavailable, .serverUntrusted, .responseMissing, .responseLate: true
        case .invalidRequest, .unusableCertificateFile, .responseTooLarge, .malformedResponse,
            .cancelled, .library:
            false
        }
    }
}
