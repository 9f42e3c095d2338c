import Cryptography
package import HTTPClient
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

    /// The hosts of one push service.
    private struct Service: Sendable {
        let name: String
        let cooldown = Cooldown()

        /// `*.` at the start matches one or more labels.
        private var isPattern: Bool { name.hasPrefix("*.") }

        func takes(_ host: String) -> Bool {
            isPattern ? host.hasSuffix(name.dropFirst()) : host == name
        }

        /// Begins a cooldown, unless the failure tells nothing about the other hosts of a pattern.
        ///
        /// A browser can name a host that does not exist. It must not hold up the pushes of others.
        func note(_ failure: HTTPFailure) {
            switch failure {
            case .networkUnavailable(.deadline), .responseMissing: break
            default: guard !isPattern else { return }
            }
            cooldown.begin(for: Cooldown.afterSilence)
        }
    }

    private let identity: VAPID
    private let services: [Service]
    private let client: HTTPClient

    package init(_ identity: VAPID, to services: [String], over client: HTTPClient) {
        self.identity = identity
        self.services = services.map { Service(name: $0) }
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
        guard let service = services.first(where: { $0.takes(subscription.host) }) else {
            return .notAllowed
        }
        if let wait = service.cooldown.remaining { return .postponed(by: wait) }
        do {
            let request = try await request(payload, to: subscription, livingFor: life)
            return outcome(of: try await client.send(request), of: service)
        } catch let failure as HTTPFailure {
            service.note(failure)
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
        return HTTPRequest(.post(message.body), subscription.endpoint, headers: headers)
    }

    private func outcome(of response: HTTPResponse, of service: Service) -> PushOutcome {
        switch response.status {
        case 200...202: return .sent
        // The person or the browser ended the subscription (RFC 8030, section 7.3).
        case 404, 410: return .unknownDevice
        default:
            // Without Retry-After, an exceeded quota is left alone for a minute.
            let wait = response.retryAfter ?? (response.status == 429 ? .seconds(60) : .zero)
            service.cooldown.begin(for: wait)
            return .failed(.refused(status: response.status), minimumWait: wait)
        }
    }
}
