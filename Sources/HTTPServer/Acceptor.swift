import CLinux
import Glibc

/// Accepts clients on the first loop, and assigns them to the loops in turn.
///
/// The system could assign them by one socket per loop, but far less evenly.
actor Acceptor {
    private struct Endpoint {
        let socket: ListeningSocket
        let context: TLSContext?
    }

    nonisolated let loops: [EventLoop]
    private let service: Service
    private var endpoints: [Endpoint]
    private var tokens: [UInt64] = []
    private var nextLoop = 0

    private var countsOfNetworks: [[UInt8]: Int] = [:]
    private var count = 0
    /// The maximum since the last return of memory.
    private var peakCount = 0
    private var waiter: CheckedContinuation<Void, Never>?
    /// When `isEmpty(within:)` gives up.
    private var deadline = ContinuousClock.now

    /// The maximum number of accepted clients before connected ones have their turn.
    private static let turn = 64
    private var isTurnDue = false

    /// The number of ended connections whose memory is worth a return.
    private static let largeCount = 1000

    init(
        _ sockets: [ListeningSocket],
        _ contexts: [TLSContext?],
        _ loops: [EventLoop],
        _ service: Service
    ) {
        endpoints = zip(sockets, contexts).map(Endpoint.init)
        self.loops = loops
        self.service = service
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loops[0].asUnownedSerialExecutor()
    }

    func open() throws(ServerFailure) {
        for endpoint in endpoints {
            guard let token = loops[0].watch(endpoint.socket.descriptor, for: .toRead, self) else {
                throw .errorNumber(errno)
            }
            tokens.append(token)
        }
    }

    /// Used for new connections only.
    func use(_ contexts: [TLSContext?]) {
        endpoints = zip(endpoints, contexts).map { Endpoint(socket: $0.socket, context: $1) }
    }

    /// Accepts only the clients that have connected by now.
    func close() {
        // The queue of the system is no longer than this number.
        _ = accept(atMost: Int(SOMAXCONN))
        endpoints = []
    }

    /// Waits until all connections are closed, or until the timeout; returns whether all are
    /// closed.
    func isEmpty(within limit: Duration) async -> Bool {
        // All of it in the body: a task that prefers another executor may be suspended before it.
        await withCheckedContinuation { continuation in
            guard count > 0, limit > .zero else { return continuation.resume() }
            deadline = .now + limit
            waiter = continuation
        }
        for token in tokens { loops[0].forget(token) }
        return count == 0
    }

    private func endWait() {
        waiter?.resume()
        waiter = nil
    }
}

extension Acceptor: EventSource {
    nonisolated func handle(_: Readiness) {
        assumeIsolated { $0.acceptSome() }
    }

    /// Retries after a lack of descriptors.
    nonisolated func check(at now: ContinuousClock.Instant) {
        assumeIsolated {
            $0.acceptSome()
            if now >= $0.deadline { $0.endWait() }
        }
    }

    nonisolated func end(_: Ending) {}

    private func acceptSome() {
        guard accept(atMost: Self.turn), !isTurnDue else { return }
        isTurnDue = true
        loops[0].call {
            self.assumeIsolated {
                $0.isTurnDue = false
                $0.acceptSome()
            }
        }
    }

    /// Accepts a limited number from each socket; returns whether more may be waiting.
    private func accept(atMost limit: Int) -> Bool {
        var mayBeMore = false
        for endpoint in endpoints {
            var left = limit
            while left > 0, let (descriptor, address) = endpoint.socket.accept() {
                left -= 1
                admit(descriptor, address, endpoint.context)
            }
            if left == 0 { mayBeMore = true }
        }
        return mayBeMore
    }

    private func admit(_ descriptor: CInt, _ address: SocketAddress, _ context: TLSContext?) {
        let network = address.network
        let (limits, ofNetwork) = (service.limits, countsOfNetworks[network, default: 0])
        if count >= limits.connections {
            return refuse(descriptor, address, .connections)
        }
        if ofNetwork >= limits.connectionsPerAddress {
            return refuse(descriptor, address, .connectionsPerAddress)
        }
        count += 1
        peakCount = max(peakCount, count)
        countsOfNetworks[network] = ofNetwork + 1
        nextLoop = (nextLoop + 1) % loops.count
        let (loop, service, host) = (loops[nextLoop], service, address.host)
        let whenOver: @Sendable () -> Void = { [self] in
            loops[0].call { self.assumeIsolated { $0.left(network) } }
        }
        loop.call {
            let connection = Connection(
                Transport(descriptor, context),
                from: host,
                on: loop,
                for: service,
                whenOver: whenOver
            )
            connection.assumeIsolated { $0.start() }
        }
    }

    private func refuse(
        _ descriptor: CInt,
        _ address: SocketAddress,
        _ reason: ConnectionRefusal.Reason
    ) {
        service.observer(ConnectionRefusal(reason, of: address.host))
        Transport.plain(descriptor).close()
    }

    private func left(_ network: [UInt8]) {
        count -= 1
        let ofNetwork = countsOfNetworks[network, default: 1] - 1
        countsOfNetworks[network] = ofNetwork == 0 ? nil : ofNetwork
        returnMemory()
        if count == 0 { endWait() }
    }

    /// Returns the memory of many connections after they have left.
    private func returnMemory() {
        guard peakCount - count >= Self.largeCount, count <= peakCount / 2 else { return }
        peakCount = count
        returnFreeMemory()
    }
}

/// Returns free memory to the system; the allocator would keep it.
package func returnFreeMemory() {
    countersign_return_memory()
}
