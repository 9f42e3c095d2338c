import BankIntegration
package import HTTPClient
import StrictJSON
import TransactionApproval

/// Firebase Cloud Messaging (HTTP v1 API), which wakes the devices of one project.
package struct FCM: Sendable {
    package static let defaultEndpoint = "https://fcm.googleapis.com"

    private let url: String
    private let client: HTTPClient
    private let access: FCMAccess
    private let cooldown = Cooldown()

    package init(
        _ account: ServiceAccount,
        at endpoint: String = defaultEndpoint,
        over client: HTTPClient
    ) {
        url = "\(endpoint)/v1/projects/\(account.project)/messages:send"
        self.client = client
        access = FCMAccess(of: account, over: client)
    }

    /// Wakes a device; the message expires after `life`.
    func send(
        _ payload: PushPayload,
        to token: FCMToken,
        livingFor life: Duration
    ) async -> PushOutcome {
        let message = FCMMessage(payload, to: token, livingFor: life)
        // Texts and identifiers can always be written.
        guard let body = try? StrictJSON.encode(message) else { return .failed(.unavailable) }
        if let wait = cooldown.remaining { return .postponed(by: wait) }
        do throws(SendResult.Failure) {
            let right = try await access.token()
            let response = try await post(body, by: right)
            // The access token expired early; a new one is valid.
            guard response.status == 401 else { return outcome(of: response) }
            let next = try await access.token(insteadOf: right)
            return outcome(of: try await post(body, by: next))
        } catch {
            cooldown.begin(for: Cooldown.afterSilence)
            return .failed(error)
        }
    }

    private func post(
        _ body: [UInt8],
        by token: String
    ) async throws(SendResult.Failure) -> HTTPResponse {
        let headers = [
            HTTPHeaderLine("Authorization", "Bearer " + token),
            HTTPHeaderLine("Content-Type", "application/json"),
        ]
        do throws(HTTPFailure) {
            let request = HTTPRequest(
                .post(body),
                url,
                headers: headers,
                ignoringBodyOfSuccess: true
            )
            return try await client.send(request)
        } catch {
            throw SendResult.Failure(error)
        }
    }

    private func outcome(of response: HTTPResponse) -> PushOutcome {
        if response.status == 200 { return .sent }
        if FCMError(response).isOfToken { return .unknownDevice }
        let wait = response.pushWait
        cooldown.begin(for: wait)
        return .failed(.refused(status: response.status), minimumWait: wait)
    }
}

/// `projects.messages.send`, with data for the app and no visible notification.
private struct FCMMessage: Encodable {
    struct Message: Encodable {
        let token: FCMToken
        let data: PushContent.Payload
        let android: Android
    }

    struct Android: Encodable {
        /// Wakes a device from sleep.
        let priority = "HIGH"
        /// In seconds; afterwards the message is of no use.
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
