import HTTPServer
import TransactionApproval
import Verification

extension EventsExchange: DeviceService {
    /// A device signs anew for what comes after, so that none listens for ever on one signature.
    private static let longestLife = Duration.seconds(15 * 60)
    /// What a device is told to wait that listens as often as it may.
    private static let retryAfterSeconds: UInt32 = 60

    static func reply(
        to request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Reply<Response> {
        let calls: Calls
        switch try await api.verifier.calls(for: sender.device) {
        case .found(let found): calls = found
        case .refused(let refusal):
            return .message(.refused(try await api.problem(refusal, to: sender.device)))
        }
        guard let place = api.openStreams.enter(sender.device) else {
            return .message(.refused(.rateLimited(retryAfterSeconds: retryAfterSeconds)))
        }
        // The stream keeps these for its long life, and not the device's key with them.
        let (device, account) = (sender.device, calls.account)
        return .stream(StreamHead(contentType: EventStream.contentType)) {
            writer throws(HTTPServer.Response.Cut) in
            try await tell(device, of: account, through: writer, by: api)
            // Until here it is taken.
            _ = place
        }
    }

    /// Looks at once, whenever something happened to the account, and at each heartbeat.
    private static func tell(
        _ device: DeviceID,
        of account: AccountReference,
        through writer: HTTPServer.Response.Writer,
        by api: DeviceAPI
    ) async throws(HTTPServer.Response.Cut) {
        let notifier = api.verifier.notifier
        let end = ContinuousClock.now + longestLife
        var account = account
        var told: [TransactionID] = []
        repeat {
            // The first also shows whoever carries the stream that it has begun.
            try await writer.write(EventStream.comment)
            for await _ in notifier.changes(of: account, for: EventStream.heartbeat) {
                guard let calls = try await calls(for: device, by: api) else { return }
                for id in calls.transactions where !told.contains(id) {
                    let payload = PushPayload(transactionID: id, account: calls.account.key)
                    try await writer.write(EventStream.event(payload))
                }
                told = calls.transactions
                // From where another account took its place, that one is listened to.
                guard account == calls.account else {
                    account = calls.account
                    break
                }
            }
        } while !notifier.hasEnded && !Task.isCancelled && .now < end
    }

    /// Nil where the device is refused from now on, which it hears when it asks anew.
    private static func calls(
        for device: DeviceID,
        by api: DeviceAPI
    ) async throws(HTTPServer.Response.Cut) -> Calls? {
        // In a task beside: the stream's own would keep for its long life the memory that it takes.
        let reading = Task { await retrieval(for: device, by: api) }
        switch await reading.value {
        case .success(.found(let calls)): return calls
        case .success(.refused): return nil
        case .failure(let failure):
            api.metrics.count(failure)
            throw HTTPServer.Response.Cut()
        }
    }

    private static func retrieval(
        for device: DeviceID,
        by api: DeviceAPI
    ) async -> Result<LookupResult<Calls>, Verifier.Failure> {
        do throws(Verifier.Failure) {
            return .success(try await api.verifier.calls(for: device))
        } catch {
            return .failure(error)
        }
    }
}
