extension Connection {
    /// The maximum number of pieces and requests before other connections have their turn.
    static let turn = 8

    /// Reads and handles requests one after the other until it must wait.
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
            case .refused(let refusal): refuse(refusal)
            }
        }
    }

    private func proceedLater() {
        setReadingDeadline()
        goOnLater()
    }

    /// Returns whether there was input.
    private func receive() -> Bool {
        guard mayRead else { return false }
        switch transport.read(into: &loop.buffer) {
        case .moved(let count):
            parser.append(loop.buffer[..<count])
            loop.wipeBuffer(count)
            // A short read means that the socket is empty; TLS may still hold input.
            mayRead = count == loop.buffer.count || transport.isSecured
            return true
        case .blocked: mayRead = false
        case .ended: close()
        }
        return false
    }

    private func rest() {
        guard phase == .reading else { return }
        if isEnding, hasServed, parser.awaited == .nothing { return close() }
        setReadingDeadline()
    }

    func setReadingDeadline() {
        let hasOwnPart = hasServed || isEnding || parser.awaited == .body
        let part = hasOwnPart ? parser.awaited : .head
        guard part != awaited else { return }
        awaited = part
        let time =
            switch part {
            case .nothing: isEnding ? service.deadlines.stop : service.deadlines.idle
            case .head: service.deadlines.head
            case .body: service.deadlines.body
            }
        deadline = loop.now + time
    }

    private func begin(_ parsed: ParsedRequest) {
        beginResponse()
        closesConnection = parsed.closesConnection || isEnding
        let peer = self.peer ?? transport.peer(at: address)
        self.peer = peer
        isHandling = true
        let task = Self.respond(to: Request(parsed, from: peer), over: self)
        // The request may have its response by now, or its stream is running.
        if isHandling, handling == nil { handling = task }
    }

    private func beginResponse() {
        phase = .responding
        awaited = nil
        deadline = nil
    }

    func refuse(_ refusal: RequestRefusal) {
        beginResponse()
        closesConnection = true
        respond(explained(refusal), to: "GET")
    }
}

// MARK: Responding

extension Connection {
    /// Starts the handler on this thread; it resumes on this thread after each wait.
    private static func respond(
        to request: Request,
        over connection: Connection
    ) -> Task<Void, Never> {
        Task.immediate(executorPreference: connection.loop) {
            let response = await connection.service.handler(request)
            connection.onThread {
                if let stream = $0.respond(response, to: request.method) {
                    let task = Self.send(stream, over: connection)
                    // It notices with its first write that the client has left.
                    if $0.phase == .closed { task.cancel() }
                    $0.handling = task
                } else {
                    $0.handlerEnded()
                }
            }
        }
    }

    /// A separate task: a long stream would keep the memory of the request and of the handler's
    /// task.
    ///
    /// It starts when the connection knows which task to cancel.
    private static func send(
        _ stream: @escaping Response.Stream,
        over connection: Connection
    ) -> Task<Void, Never> {
        Task(executorPreference: connection.loop) {
            let isWhole = await connection.write(stream)
            connection.onThread {
                isWhole ? $0.endStream() : $0.close()
                $0.handlerEnded()
            }
        }
    }

    /// Sends the response, and returns the stream that follows, also if the client has left.
    @discardableResult
    private func respond(_ response: Response, to method: String) -> Response.Stream? {
        guard phase == .responding else {
            return ResponseMessage(response, to: method, closingConnection: true).stream
        }
        let isSendable = response.isSendable
        if !isSendable { closesConnection = true }
        let message = ResponseMessage(
            isSendable ? response : explained(.unsendableResponse),
            to: method,
            closingConnection: closesConnection
        )
        if message.stream == nil { phase = .sending }
        send(message)
        return message.stream
    }

    private func explained(_ refusal: RequestRefusal) -> Response {
        let response = service.explanation(refusal)
        guard response.isSendable, case .bytes = response.body else {
            return Response(status: refusal.status)
        }
        return response
    }

    func finishResponse() {
        hasServed = true
        if closesConnection { return beginLingeringClose() }
        phase = .reading
    }

    private func handlerEnded() {
        isHandling = false
        handling = nil
        if phase == .closed { forget() } else { proceed() }
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
