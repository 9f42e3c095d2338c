package import Cryptography
package import HTTPClient
package import Transactions

/// A URL of a bank that receives messages as Standard Webhooks defines.
///
/// Retries have the same id. The signature is HMAC-SHA256 over id, time and body.
package struct Webhook: Sendable {
    private let url: String
    private let secrets: [WebhookSecret]
    private let client: HTTPClient
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let cooldown: Cooldown

    /// With two secrets, a receiver that knows one of them accepts the message: so secrets are
    /// replaced.
    package init(
        _ url: String,
        signingWith secrets: [WebhookSecret],
        over client: HTTPClient,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.url = url
        self.secrets = secrets
        self.client = client
        self.clock = clock
        cooldown = Cooldown(clock: clock)
    }

    /// Whether the receiver is in its cooldown, so that nothing is sent.
    package var isPaused: Bool { cooldown.remaining != nil }

    /// Every status from 200 to 299 is a success.
    ///
    /// Redirects are not followed, and the body is ignored.
    package func send(_ body: [UInt8], named id: String, at moment: Timestamp) async -> SendResult {
        if let wait = cooldown.remaining { return .postponed(by: wait) }
        // A message that cannot be signed for lack of memory is retried.
        guard let request = try? request(body, named: id, at: moment) else {
            return .failed(.unavailable)
        }
        let start = clock()
        do throws(HTTPFailure) {
            let response = try await client.send(request)
            if (200...299).contains(response.status) { return .delivered }
            let wait = response.retryAfter ?? .zero
            cooldown.begin(for: max(wait, Cooldown.afterRefusal(taking: clock() - start)))
            return .failed(.refused(status: response.status), minimumWait: wait)
        } catch {
            cooldown.begin(for: Cooldown.afterSilence)
            return .failed(.init(error))
        }
    }

    private func request(
        _ body: [UInt8],
        named id: String,
        at moment: Timestamp
    ) throws(CryptographyFailure) -> HTTPRequest {
        let seconds = String(moment.milliseconds / 1000)
        let signed = Array("\(id).\(seconds).".utf8) + body
        var signatures: [String] = []
        for secret in secrets { signatures.append("v1," + (try secret.signature(of: signed))) }
        return HTTPRequest(
            .post(body),
            url,
            headers: [
                HTTPHeaderLine("Content-Type", "application/json"),
                HTTPHeaderLine("Webhook-Id", id),
                HTTPHeaderLine("Webhook-Timestamp", seconds),
                HTTPHeaderLine("Webhook-Signature", signatures.joined(separator: " ")),
            ],
            ignoringBodyOfSuccess: true
        )
    }
}

/// The key of webhook signatures, in locked memory.
package final class WebhookSecret: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        /// Not one line with `whsec_` and base64 of 24 to 64 bytes.
        case malformed
        case system(SystemFailure)
    }

    private let key: SecureBytes

    private static let prefix = Array("whsec_".utf8)
    private static let byteCounts = 24...64

    package init(text: Span<UInt8>) throws(Failure) {
        let hasLineEnd = text.count > 0 && text[text.count - 1] == UInt8(ascii: "\n")
        let line = text.extracting(droppingLast: hasLineEnd ? 1 : 0)
        guard line.extracting(first: Self.prefix.count).array == Self.prefix else {
            throw .malformed
        }
        let key: SecureBytes
        do throws(CryptographyFailure) {
            let characters = line.extracting(droppingFirst: Self.prefix.count)
            key = try TextEncoding.base64.decode(secret: characters)
        } catch .malformedEncoding {
            throw .malformed
        } catch {
            throw .system(SystemFailure(error))
        }
        guard Self.byteCounts.contains(key.count) else { throw .malformed }
        self.key = key
    }

    fileprivate func signature(of message: [UInt8]) throws(CryptographyFailure) -> String {
        let digest = try HMAC(.sha256, key: key).authenticate(message.span)
        let bytes = digest.array
        return TextEncoding.base64.encode(bytes.span)
    }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
