/// A connection: it reads one request, responds, and only then reads the next.
///
/// So a client that sends faster than it reads fills its own buffers only. A client that closes its
/// sending side counts as gone.
actor Connection {
    enum Phase {
        case reading
        /// A handler runs, or the stream that it returned.
        case responding
        /// The response is complete but not sent completely.
        case sending
        /// Everything is sent, and the client must close too. Otherwise the system could discard
        /// the response because of unread input (RFC 9112, section 9.6).
        case lingering
        case closed
    }

    private static let lingeringTime = Duration.seconds(1)

    nonisolated let loop: EventLoop
    nonisolated let service: Service
    let transport: Transport
    let address: String
    private let whenOver: @Sendable () -> Void
    private var token: UInt64?

    var phase = Phase.reading
    var deadline: ContinuousClock.Instant?
    /// True if it closes after the pending responses.
    var isEnding = false

    /// True if the transport may have input.
    var mayRead = true
    var parser: RequestParser
    /// The part of a request that the read deadline is for.
    var awaited: RequestParser.Part?
    var isProceeding = false
    /// True if it continues after other connections had their turn.
    var isTurnDue = false
    /// Set with the first request: a client certificate comes with the handshake.
    var peer: Peer?
    var hasServed = false

    var closesConnection = false
    /// True while a handler runs, even if the client has left.
    var isHandling = false
    var handling: Task<Void, Never>?
    var output = Output()
    /// Writers that wait for an empty output; they get whether to continue.
    var writers: [CheckedContinuation<Bool, Never>] = []

    /// Calls `whenOver` when the connection is closed and its handler has ended.
    init(
        _ transport: sending Transport,
        from address: String,
        on loop: EventLoop,
        for service: Service,
        whenOver: @escaping @Sendable () -> Void
    ) {
        self.transport = transport
        self.address = address
        self.loop = loop
        self.service = service
        self.whenOver = whenOver
        parser = RequestParser(limits: service.limits)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// For calls on the loop's thread, which the compiler cannot verify.
    nonisolated func onThread<Result: Sendable>(
        _ body: (isolated Connection) -> Result
    ) -> Result {
        assumeIsolated(body)
    }

    func start() {
        setReadingDeadline()
        token = loop.watch(transport.descriptor, for: [.toRead, .toWrite, .ended], self)
        if token == nil { close() }
    }

    /// Sends the end of the stream, and waits for the client's.
    func beginLingeringClose() {
        phase = .lingering
        deadline = loop.now + Self.lingeringTime
        transport.finish()
        discard()
    }

    private func discard() {
        for _ in 1...Self.turn where phase == .lingering {
            switch transport.discard(into: &loop.buffer) {
            case .moved(let count): loop.wipeBuffer(count)
            case .blocked: return
            case .ended: close()
            }
        }
        if phase == .lingering { goOnLater() }
    }

    /// Other connections have their turn first, and the deadline is read.
    func goOnLater() {
        guard !isTurnDue else { return }
        isTurnDue = true
        loop.call {
            self.onThread {
                $0.isTurnDue = false
                // The phase can have changed meanwhile.
                $0.phase == .lingering ? $0.discard() : $0.proceed()
            }
        }
    }

    /// Closes immediately.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        deadline = nil
        if let reason = transport.certificateRefusal {
            service.observer(ConnectionRefusal(.certificate(reason), of: address))
        }
        transport.close()
        handling?.cancel()
        parser = RequestParser(limits: service.limits)
        output = Output()
        resumeWriters(mayGoOn: false)
        if !isHandling { forget() }
    }

    func forget() {
        if let token { loop.forget(token) }
        whenOver()
    }
}

// MARK: Events of the loop

extension Connection: EventSource {
    nonisolated func handle(_ readiness: Readiness) {
        onThread { $0.react(to: readiness) }
    }

    nonisolated func check(at now: ContinuousClock.Instant) {
        onThread { $0.checkDeadline(now) }
    }

    nonisolated func end(_ ending: Ending) {
        onThread { ending == .graceful ? $0.endAfterResponse() : $0.close() }
    }

    private func react(to readiness: Readiness) {
        guard readiness.isDisjoint(with: [.failed, .hungUp, .ended]) else { return close() }
        if phase == .lingering { return discard() }
        // TLS may have to write before it can read.
        if readiness.contains(.toRead) || transport.isSecured { mayRead = true }
        flush()
        proceed()
    }

    private func checkDeadline(_ now: ContinuousClock.Instant) {
        guard let deadline else { return }
        let isIdle = phase == .reading && awaited == .nothing && !isEnding
        let (idle, head) = (service.deadlines.idle, service.deadlines.head)
        let isPressed = isIdle && idle > head && loop.sourceCount > service.pressureThreshold
        guard deadline - (isPressed ? idle - head : .zero) <= now else { return }
        guard phase == .reading, parser.awaited != .nothing, transport.isReady else {
            return close()
        }
        refuse(.timedOut)
    }

    private func endAfterResponse() {
        isEnding = true
        closesConnection = true
        // Input may be here although its event is not.
        mayRead = true
        proceed()
    }
}
