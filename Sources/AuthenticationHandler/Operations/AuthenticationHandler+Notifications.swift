import Cryptography
import FailureTranslation
import PrivateFiles
import TransactionApproval

/// How a device that is not connected receives notifications of pending transactions.
public enum Push: Equatable, Sendable {
    /// No push service wakes the device; `pushes()` works.
    case off
    /// The bank's push service wakes the device, if the bank has one; `pushes()` works too.
    case bankService
    /// Firebase Cloud Messaging wakes the device, with the token of this installation; `pushes()`
    /// works too. A verifier without Firebase gives the token to the bank's push service.
    case fcm(token: String)

    fileprivate var setting: PushSetting {
        get throws(AuthenticationError) {
            switch self {
            case .off: return .off
            case .bankService: return .events
            case .fcm(let token):
                guard let token = FCMToken(token) else {
                    throw AuthenticationError(.invalidArgument, cause: "the token of FCM")
                }
                return .fcm(token)
            }
        }
    }
}

extension AuthenticationHandler {
    /// Sets which push service wakes this device, for all accounts; `pushes()` needs none.
    ///
    /// After a failure it continues with the other accounts, and throws the first failure at the
    /// end.
    public func setPush(_ push: Push) async throws(AuthenticationError) {
        try await recover()
        let accounts = try someAccounts()
        let setting = try push.setting
        var failure: AuthenticationError?
        for account in accounts {
            do throws(AuthenticationError) {
                let request = PushExchange.Request(attempt: try .new(), setting: setting)
                _ = try await send(PushExchange.self, request, by: try Peer(account))
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// The notifications that the verifiers send while this device is connected.
    ///
    /// The first ones are of transactions that are already pending. If `announcesAccountChange(push:)`
    /// is false for a notification, pass it to `pendingTransaction(push:)`. It works with each `Push`
    /// setting. The stream is for the accounts of this moment: call it again after
    /// an activation. A lost connection is retried with exponential backoff while the stream has a
    /// reader. The stream ends if no verifier accepts this device any longer. `report` is called at
    /// each change of the connection, and for each account that ends, one call after the other.
    public func pushes(
        reporting report: @escaping @Sendable (ConnectionChange) -> Void = { _ in }
    ) throws(AuthenticationError) -> AsyncStream<[UInt8]> {
        let devices = try someAccounts().map(\.record.device)
        let (pushes, listener) = AsyncStream<[UInt8]>.makeStream(
            bufferingPolicy: .bufferingNewest(Listening.maximumUnread)
        )
        let connections = Connections(of: devices, report)
        let listening = Task {
            await withDiscardingTaskGroup { group in
                for device in devices {
                    group.addTask { await self.listen(as: device, for: listener, connections) }
                }
            }
            listener.finish()
        }
        listener.onTermination = { _ in listening.cancel() }
        return pushes
    }
}

private enum Listening {
    typealias Listener = AsyncStream<[UInt8]>.Continuation

    static let maximumUnread = 64
}

/// The devices that receive notifications, and those of them without a connection.
private final class Connections: Sendable {
    private struct Devices {
        var all: Set<DeviceID>
        var lost: Set<DeviceID> = []
    }

    private let devices: LockedValue<Devices>
    private let report: @Sendable (ConnectionChange) -> Void

    init(of devices: [DeviceID], _ report: @escaping @Sendable (ConnectionChange) -> Void) {
        self.devices = LockedValue(Devices(all: Set(devices)))
        self.report = report
    }

    func lose(_ device: DeviceID, _ code: ErrorCode) {
        devices.withLock {
            if $0.lost.insert(device).inserted && $0.lost.count == 1 { report(.lost(code)) }
        }
    }

    func restore(_ device: DeviceID) {
        devices.withLock {
            if $0.lost.remove(device) != nil && $0.lost.isEmpty { report(.restored) }
        }
    }

    /// `account`: the account that the verifier rejects; nil if it was removed from this device.
    func end(_ device: DeviceID, of account: Account? = nil) {
        devices.withLock {
            if let account { report(.ended(account)) }
            $0.all.remove(device)
            // Without another device, no connection is left.
            guard $0.lost.remove(device) != nil, $0.lost.isEmpty, !$0.all.isEmpty else { return }
            report(.restored)
        }
    }
}

/// The exponential backoff between two connections, with jitter.
struct ReconnectionBackoff {
    private static let minimum = Duration.seconds(1)
    private static let maximum = Duration.seconds(60)

    private var interval = minimum

    /// The time to wait after a stream, or after a failure that may name a minimum.
    mutating func delay(after failure: AuthenticationError? = nil) -> Duration {
        interval = failure == nil ? Self.minimum : min(interval * 2, Self.maximum)
        return max(interval * Double.random(in: 0.5...1), failure?.retryAfter ?? .zero)
    }
}

extension AuthenticationHandler {
    /// Receives notifications until the reader leaves or the verifier rejects the device.
    private func listen(
        as device: DeviceID,
        for listener: Listening.Listener,
        _ connections: Connections
    ) async {
        var backoff = ReconnectionBackoff()
        var name: Account?
        while !Task.isCancelled {
            let delay: Duration
            do throws(AuthenticationError) {
                let accounts = try activeAccounts()
                // The account was removed meanwhile.
                guard let account = accounts.first(where: { $0.record.device == device }) else {
                    return connections.end(device)
                }
                name = account.record.name
                let pieces = try await stream(for: account)
                connections.restore(device)
                try await follow(pieces, listener)
                delay = backoff.delay()
            } catch  where error.meansDeviceIsGone {
                return connections.end(device, of: name)
            } catch {
                connections.lose(device, error.code)
                delay = backoff.delay(after: error)
            }
            // A cancelled sleep ends the loop: `try?`.
            try? await Task.sleep(for: delay)
        }
    }

    private func follow(
        _ pieces: AsyncStream<[UInt8]>,
        _ listener: Listening.Listener
    ) async throws(AuthenticationError) {
        var reader = EventStream.Reader()
        for await piece in pieces {
            do throws(EventStream.Reader.TooLong) {
                for push in try reader.take(piece) { listener.yield(push) }
            } catch {
                throw AuthenticationError(.response, cause: "an event over 8 KiB")
            }
        }
    }

    /// The event stream of the account's verifier, after its signature is verified.
    private func stream(
        for account: OpenAccount
    ) async throws(AuthenticationError) -> AsyncStream<[UInt8]> {
        let peer = try Peer(account)
        do throws(AuthenticationError) {
            return try await stream(for: peer)
        } catch  where error.code == .clockSkew {
            // The clock offset is known now.
            return try await stream(for: peer)
        }
    }

    private func stream(for peer: Peer) async throws(AuthenticationError) -> AsyncStream<[UInt8]> {
        let message = try EventsExchange.request(NoContent(), to: peer.server)
        let signed = try peer.sign(message, at: now(of: peer.server))
        let response = try await translatingAsync(
            await transport.open(signed),
            to: AuthenticationError.init(transport:)
        )
        guard response.status != StreamHead.status else {
            try peer.check(response.unverified(), opens: signed)
            return response.pieces
        }
        let whole = response.unverified(await Self.body(of: response))
        let (outcome, _) = try peer.read(EventsExchange.self, whole, to: signed)
        guard case .refused(let problem) = outcome else {
            throw AuthenticationError(.response, cause: "no stream")
        }
        if case .clockSkew(let serverTime) = problem { setClockOffset(serverTime, of: peer.server) }
        throw AuthenticationError(refusal: problem)
    }

    /// The body up to the size limit; a truncated body has no valid signature.
    private static func body(of response: OpenResponse) async -> [UInt8] {
        var body: [UInt8] = []
        for await piece in response.pieces {
            body += piece
            if body.count > NetworkTransport.maximumResponseByteCount { break }
        }
        return body
    }
}
