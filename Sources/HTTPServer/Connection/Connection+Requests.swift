extension Connection {
    /// How many pieces are read and requests answered before other connections, and the deadlines,
    /// have their turn.
    private static let turn = 64

    /// Reads requests and has them answered, one after the other, for as long as nothing is awaited.
    func proceed() {
        guard !isProceeding else { return }
        isProceeding = true
        defer { isProceeding = false }
        var left = Self.turn
        while phase == .reading, !isHandling {
            guard left > 0 else { return proceedLater() }
            left -= 1
            switch parser.next() {
            case .needsMore: guard receive() else { return rest() }
            case .continueExpected: send(Array("HTTP/1.1 100 \r\n\r\n".utf8))
            case .request(let request): begin(request)
            case .refused(let rejection): refuse(rejection)
            }
        }
    }

    private func proceedLater() {
        setReadingDeadline()
        guard !isTurnDue else { return }
        isTurnDue = true
        loop.call {
            self.onThread {
                $0.isTurnDue = false
                $0.proceed()
            }
        }
    }

    /// Whether anything came.
    private func receive() -> Bool {
        guard mayRead else { return false }
        switch transport.read(into: &loop.buffer) {
        case .moved(let count):
            parser.append(loop.buffer[..<count])
            // Less than there was room for was all; of TLS a part may be left.
            mayRead = count == loop.buffer.count || transport.isSecured
            return true
        case .blocked: mayRead = false
        case .ended: leave()
        }
        return false
    }

    private func rest() {
        guard phase == .reading else { return }
        if isEnding, hasServed, parser.awaited == .nothing { return leave() }
        setReadingDeadline()
    }

    func setReadingDeadline() {
        let part = hasServed || parser.awaited == .body ? parser.awaited : .head
        guard part != awaited else { return }
        awaited = part
        let time =
            switch part {
            case .nothing: service.deadlines.idle
            case .head: service.deadlines.head
            case .body: service.deadlines.body
            }
        deadline = loop.now + time
    }

    private func begin(_ parsed: ParsedRequest) {
        beginAnswer()
        closesConnection = parsed.closesConnection || isEnding
        let peer = self.peer ?? transport.peer(at: address)
        self.peer = peer
        isHandling = true
        let task = Self.answer(Request(parsed, from: peer), over: self)
        // It may have been answered by now, or its stream is what is at work.
        if isHandling, handling == nil { handling = task }
    }

    private func beginAnswer() {
        phase = .answering
        awaited = nil
        deadline = nil
    }

    func refuse(_ rejection: Rejection) {
        beginAnswer()
        closesConnection = true
        respond(explained(rejection), to: "GET")
    }
}

// MARK: Answering

extension Connection {
    /// Runs the handler at once on this thread, and what it waits for later comes back to it.
    private static func answer(_ request: Request, over connection: Connection) -> Task<Void, Never>
    {
        Task.immediate(executorPreference: connection.loop) {
            let response = await connection.service.handler(request)
            connection.onThread {
                if let stream = $0.respond(response, to: request.method) {
                    $0.handling = Self.send(stream, over: connection)
                } else {
                    $0.handlerEnded()
                }
            }
        }
    }

    /// A task of its own: a stream may last for long, and the handler's would keep until then the
    /// request, and all the memory that the answer took.
    ///
    /// It begins later, when the connection knows what to cancel.
    private static func send(
        _ stream: @escaping Response.Stream,
        over connection: Connection
    ) -> Task<Void, Never> {
        Task(executorPreference: connection.loop) {
            let isWhole = await connection.write(stream)
            connection.onThread {
                isWhole ? $0.endStream() : $0.leave()
                $0.handlerEnded()
            }
        }
    }

    /// Sends all of the response, or gives the stream that is still to be written.
    @discardableResult
    private func respond(_ response: Response, to method: String) -> Response.Stream? {
        guard phase == .answering else { return nil }
        if !response.isSendable { closesConnection = true }
        let message = ResponseMessage(
            response.isSendable ? response : explained(.unanswerable),
            to: method,
            closingConnection: closesConnection
        )
        if message.stream == nil { phase = .sending }
        send(message.bytes(date: loop.currentDate))
        return message.stream
    }

    private func explained(_ rejection: Rejection) -> Response {
        let response = service.explanation(rejection)
        guard response.isSendable, case .bytes = response.body else {
            return Response(status: rejection.status)
        }
        return response
    }

    func finishAnswer() {
        hasServed = true
        if closesConnection { return part() }
        phase = .reading
    }

    private func handlerEnded() {
        isHandling = false
        handling = nil
        if phase == .over { forget() } else { proceed() }
    }
}

extension Request {
    fileprivate init(_ parsed: ParsedRequest, from peer: Peer) {
        self.init(
            method: parsed.line.method,
            target: parsed.line.target,
            fields: parsed.fields,
            body: parsed.body,
            peer: peer
        )
    }
}
