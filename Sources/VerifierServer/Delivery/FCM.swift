package import HTTPClient
import StrictJSON
import TransactionApproval

/// Firebase Cloud Messaging over its HTTP v1 API, which wakes the devices of one project.
package struct FCM: Sendable {
    enum Outcome: Equatable, Sendable {
        case sent
        /// The address is no device's, or none any more.
        case unknownToken
        case failed(DeliveryOutcome.Failure, minimumWait: Duration = .zero)
        case postponed(by: Duration)
    }

    package static let standardEndpoint = "https://fcm.googleapis.com"

    private let url: String
    private let client: HTTPClient
    private let access: FCMAccess
    private let cooldown = Cooldown()

    package init(
        _ account: ServiceAccount,
        at endpoint: String = standardEndpoint,
        over client: HTTPClient
    ) {
        url = "\(endpoint)/v1/projects/\(account.project)/messages:send"
        self.client = client
        access = FCMAccess(of: account, over: client)
    }

    /// Wakes a device, if that can be done within `life`.
    func send(
        _ payload: PushPayload,
        to token: FCMToken,
        livingFor life: Duration
    ) async -> Outcome {
        let message = FCMMessage(payload, to: token, livingFor: life)
        // Texts and identifiers are always written.
        guard let body = try? StrictJSON.encode(message) else { return .failed(.unreadable) }
        if let wait = cooldown.remaining { return .postponed(by: wait) }
        do throws(DeliveryOutcome.Failure) {
            let right = try await access.token()
            let response = try await post(body, by: right)
            // It ended before its time; the next one is good, or there is none.
            guard response.status == 401 else { return answer(response) }
            let next = try await access.token(insteadOf: right)
            return answer(try await post(body, by: next))
        } catch {
            cooldown.begin(for: Cooldown.afterSilence)
            return .failed(error)
        }
    }

    private func post(
        _ body: [UInt8],
        by token: String
    ) async throws(DeliveryOutcome.Failure) -> HTTPResponse {
        let headers = [
            HTTPHeaderLine("Authorization", "Bearer " + token),
            HTTPHeaderLine("Content-Type", "application/json"),
        ]
        do throws(HTTPFailure) {
            return try await client.send(HTTPRequest(.post(body), url, headers: headers))
        } catch {
            throw DeliveryOutcome.Failure(error)
        }
    }

    private func answer(_ response: HTTPResponse) -> Outcome {
        if response.status == 200 { return .sent }
        if FCMError(response).isOfToken { return .unknownToken }
        // Without a word on it, a quota is to be left alone for a minute.
        let wait = response.retryAfter ?? (response.status == 429 ? .seconds(60) : .zero)
        cooldown.begin(for: wait)
        return .failed(.refused(status: response.status), minimumWait: wait)
    }
}

/// `projects.messages.send`, with data that the app reads and nothing that a system shows.
private struct FCMMessage: Encodable {
    struct Message: Encodable {
        let token: FCMToken
        let data: PushContent.Payload
        let android: Android
    }

    struct Android: Encodable {
        /// Wakes a device that sleeps.
        let priority = "HIGH"
        /// In seconds: later nobody needs to be woken.
        let ttl: String
    }

    let message: Message

    init(_ payload: PushPayload, to token: FCMToken, livingFor life: Duration) {
        let seconds = max(1, life.components.seconds)
        message = Message(
            token: token,
            data: PushContent.Payload(payload),
            android: Android(ttl: "\(seconds)s")
        )
    }
}
