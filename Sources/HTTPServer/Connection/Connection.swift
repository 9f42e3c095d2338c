/// One client's connection: it reads a request, has it answered, and only then reads on.
///
/// So a client that sends more than it takes answers fills its own buffers and no memory here. A
/// client that closes its side of the connection is taken to have left, even if it could still read.
actor Connection {
    enum Phase {
        case reading
        /// A handler is at work, or the stream that it gave.
        case answering
        /// All of the answer is there, and some of it not yet sent.
        case sending
        /// All is sent, and the client is to close too: if it were not waited for, what it still
        /// sends would have the system take back the answer (RFC 9112, section 9.6).
        case parting
        case over
    }

    private static let partingTime = Duration.seconds(1)

    nonisolated let loop: EventLoop
    nonisolated let service: Service
    let transport: Transport
    let address: String
    private let whenOver: @Sendable () -> Void
    private var token: UInt64?

    var phase = Phase.reading
    var deadline: ContinuousClock.Instant?
    /// Whether it ends with the answers that are due: the server does.
    var isEnding = false

    /// Whether the transport may have something to read.
    var mayRead = true
    var parser: RequestParser
    /// What the deadline is for while reading.
    var awaited: RequestParser.Part?
    var isProceeding = false
    /// Whether it goes on proceeding as soon as others had their turn.
    var isTurnDue = false
    /// Known with the first request: what a client shows comes with the handshake.
    var peer: Peer?
    var hasServed = false

    var closesConnection = false
    /// Whether a handler is at work, be its client there or not.
    var isHandling = false
    var handling: Task<Void, Never>?
    var output = Output()
    /// Those who wait until the output is empty; they are told whether to go on.
    var writers: [CheckedContinuation<Bool, Never>] = []

    /// Calls `whenOver` when it is closed and its handler has ended.
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

    /// For what is called on the loop's thread, where the compiler does not see that it is.
    nonisolated func onThread<Result: Sendable>(
        _ body: (isolated Connection) -> Result
    ) -> Result {
        assumeIsolated(body)
    }

    func start() {
        setReadingDeadline()
        token = loop.watch(transport.descriptor, for: [.toRead, .toWrite, .ended], self)
        if token == nil { leave() }
    }

    /// Says goodbye, and waits for the client to do the same.
    func part() {
        phase = .parting
        deadline = loop.now + Self.partingTime
        transport.finish()
        discard()
    }

    private func discard() {
        while phase == .parting {
            switch transport.discard(into: &loop.buffer) {
            case .moved: continue
            case .blocked: return
            case .ended: leave()
            }
        }
    }

    /// Closes, whatever is going on.
    func leave() {
        guard phase != .over else { return }
        phase = .over
        deadline = nil
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

// MARK: What the loop tells

extension Connection: EventSource {
    nonisolated func handle(_ readiness: Readiness) {
        onThread { $0.react(to: readiness) }
    }

    nonisolated func check(at now: ContinuousClock.Instant) {
        onThread { $0.checkDeadline(now) }
    }

    nonisolated func end(_ ending: Ending) {
        onThread { ending == .graceful ? $0.endAfterAnswer() : $0.leave() }
    }

    private func react(to readiness: Readiness) {
        guard readiness.isDisjoint(with: [.failed, .hungUp, .ended]) else { return leave() }
        if phase == .parting { return discard() }
        // TLS may have to write before it can read.
        if readiness.contains(.toRead) || transport.isSecured { mayRead = true }
        flush()
        proceed()
    }

    private func checkDeadline(_ now: ContinuousClock.Instant) {
        guard let deadline else { return }
        let isIdle = phase == .reading && awaited == .nothing
        let (idle, head) = (service.deadlines.idle, service.deadlines.head)
        let isPressed = isIdle && idle > head && loop.sourceCount > service.crowd
        guard deadline - (isPressed ? idle - head : .zero) <= now else { return }
        guard phase == .reading, parser.awaited != .nothing, transport.isReady else {
            return leave()
        }
        refuse(.timedOut)
    }

    private func endAfterAnswer() {
        isEnding = true
        closesConnection = true
        // A request may be here whose event is not.
        mayRead = true
        proceed()
    }
}
