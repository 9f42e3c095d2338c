import HTTPServer
import TransactionApproval
import Verification

extension EventsExchange: DeviceService {
    /// The device must sign a new request after this time.
    private static let maximumLife = Duration.seconds(15 * 60)
    /// For a device with the maximum number of streams.
    private static let retryAfterSeconds: UInt32 = 60

    static func response(
        to call: Call
    ) async throws(Verifier.Failure) -> ServiceResponse<Response> {
        let notifications: PendingNotifications
        switch try await call.verifier.pendingNotifications(for: call.device) {
        case .found(let found): notifications = found
        case .refused(let refusal):
            return .message(.refused(try await call.problem(refusal)))
        }
        guard let slot = call.api.openStreams.enter(call.device) else {
            return .message(.refused(.rateLimited(retryAfterSeconds: retryAfterSeconds)))
        }
        let (api, device, account) = (call.api, call.device, notifications.account)
        return .stream(StreamHead(contentType: EventStream.contentType)) {
            writer throws(HTTPServer.Response.Cut) in
            try await send(device, of: account, through: writer, by: api)
            // Keeps the slot until here.
            _ = slot
        }
    }

    /// Checks at once, after each change of the account, and at each heartbeat.
    private static func send(
        _ device: DeviceID,
        of account: AccountReference,
        through writer: HTTPServer.Response.Writer,
        by api: DeviceAPI
    ) async throws(HTTPServer.Response.Cut) {
        let notifier = api.verifier.notifier
        let end = ContinuousClock.now + maximumLife
        var account = account
        var sent: [PendingNotification] = []
        var lastChange: UInt64?
        repeat {
            // The first one also shows proxies that the stream has begun.
            try await writer.write(EventStream.comment)
            for await _ in notifier.changes(of: account, for: EventStream.heartbeat) {
                guard let pending = try await notifications(for: device, by: api) else { return }
                for notification in pending.transactions where !sent.contains(notification) {
                    let payload = PushPayload(
                        transactionID: notification.transaction,
                        account: pending.account.key
                    )
                    try await writer.write(EventStream.event(payload))
                }
                sent = pending.transactions
                if let change = pending.lastChange, change != lastChange {
                    let hint = AccountChangeHint(of: pending.account.key)
                    try await writer.write(EventStream.event(hint))
                    lastChange = change
                }
                // The account was replaced: continue with its successor.
                guard account == pending.account else {
                    account = pending.account
                    break
                }
            }
        } while !notifier.hasEnded && !Task.isCancelled && .now < end
        // The client left, or the server stops without waiting for it.
        if Task.isCancelled { throw HTTPServer.Response.Cut() }
    }

    /// Nil if the device is now rejected; its next request shows why.
    private static func notifications(
        for device: DeviceID,
        by api: DeviceAPI
    ) async throws(HTTPServer.Response.Cut) -> PendingNotifications? {
        // In a task of its own: the stream's task would keep that memory as long as it runs.
        let reading = Task {
            do throws(Verifier.Failure) {
                let pending = try await api.verifier.pendingNotifications(for: device)
                return Result<_, Verifier.Failure>.success(pending)
            } catch {
                return .failure(error)
            }
        }
        switch await reading.value {
        case .success(.found(let pending)): return pending
        case .success(.refused): return nil
        case .failure(let failure):
            api.metrics.count(failure)
            throw HTTPServer.Response.Cut()
        }
    }
}
