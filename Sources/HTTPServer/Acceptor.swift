import Glibc

/// Takes clients in and deals them out to the loops in turn, itself on the first loop.
///
/// The system would deal them out too, over a socket for each loop, but far less evenly.
actor Acceptor {
    private struct Door {
        let socket: ListeningSocket
        let context: TLSContext?
    }

    nonisolated let loops: [EventLoop]
    private let service: Service
    private var doors: [Door]
    private var tokens: [UInt64] = []
    private var nextLoop = 0

    private var countsOfNetworks: [[UInt8]: Int] = [:]
    private var count = 0
    private var waiter: CheckedContinuation<Bool, Never>?

    init(
        _ sockets: [ListeningSocket],
        _ contexts: [TLSContext?],
        _ loops: [EventLoop],
        _ service: Service
    ) {
        doors = zip(sockets, contexts).map(Door.init)
        self.loops = loops
        self.service = service
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loops[0].asUnownedSerialExecutor()
    }

    func open() throws(ServerFailure) {
        for door in doors {
            guard let token = loops[0].watch(door.socket.descriptor, for: .toRead, self) else {
                throw .system(errno)
            }
            tokens.append(token)
        }
    }

    /// New connections get these; those that are there keep what they have.
    func use(_ contexts: [TLSContext?]) {
        doors = zip(doors, contexts).map { Door(socket: $0.socket, context: $1) }
    }

    /// Takes in who has connected by now, and nobody after that.
    func close() {
        acceptAll()
        for token in tokens { loops[0].forget(token) }
        doors = []
    }

    /// Returns when no connection is left, or none is waited for any more; and which of the two.
    func emptied() async -> Bool {
        if count == 0 { return true }
        return await withCheckedContinuation { waiter = $0 }
    }

    func giveUp() {
        waiter?.resume(returning: false)
        waiter = nil
    }
}

extension Acceptor: EventSource {
    nonisolated func handle(_: Readiness) {
        assumeIsolated { $0.acceptAll() }
    }

    /// Tries again what failed for want of descriptors.
    nonisolated func check(at _: ContinuousClock.Instant) {
        assumeIsolated { $0.acceptAll() }
    }

    nonisolated func end(_: Ending) {}

    private func acceptAll() {
        for door in doors {
            while let (descriptor, address) = door.socket.accept() {
                admit(descriptor, address, door.context)
            }
        }
    }

    private func admit(_ descriptor: CInt, _ address: SocketAddress, _ context: TLSContext?) {
        let network = address.network
        let (limits, ofNetwork) = (service.limits, countsOfNetworks[network, default: 0])
        guard count < limits.connections, ofNetwork < limits.connectionsPerAddress else {
            return Transport.plain(descriptor).close()
        }
        count += 1
        countsOfNetworks[network] = ofNetwork + 1
        nextLoop = (nextLoop + 1) % loops.count
        let (loop, service, host) = (loops[nextLoop], service, address.host)
        let whenOver: @Sendable () -> Void = { [self] in
            loops[0].call { self.assumeIsolated { $0.left(network) } }
        }
        loop.call {
            guard let transport = Transport(descriptor, context) else {
                Transport.plain(descriptor).close()
                return whenOver()
            }
            let connection = Connection(
                transport,
                from: host,
                on: loop,
                for: service,
                whenOver: whenOver
            )
            connection.assumeIsolated { $0.start() }
        }
    }

    private func left(_ network: [UInt8]) {
        count -= 1
        let ofNetwork = countsOfNetworks[network, default: 1] - 1
        countsOfNetworks[network] = ofNetwork == 0 ? nil : ofNetwork
        if count == 0 {
            waiter?.resume(returning: true)
            waiter = nil
        }
    }
}
