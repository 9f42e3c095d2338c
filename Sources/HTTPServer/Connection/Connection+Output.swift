extension Connection {
    func send(_ bytes: [UInt8]) {
        output.append(bytes)
        flush()
    }

    func send(_ message: ResponseMessage) {
        output.append(message.head(date: loop.currentDate), followedBy: message.body)
        flush()
    }

    /// Sends as much as the client accepts now.
    func flush() {
        while !output.isEmpty {
            switch transport.write(output.unsent) {
            case .moved(let count):
                output.didSend(count)
                if output.hasEarnedTime() { deadline = loop.now + service.deadlines.write }
            case .blocked:
                deadline = deadline ?? loop.now + service.deadlines.write
                return
            case .ended: return close()
            }
        }
        switch phase {
        case .responding:
            deadline = nil
            resumeWriters(mayGoOn: true)
        case .sending: finishResponse()
        case .reading, .lingering, .closed: break
        }
    }

    /// True if the stream is complete.
    nonisolated func write(_ stream: Response.Stream) async -> Bool {
        let writer = Response.Writer { [self] bytes throws(Response.Cut) in
            try await write(bytes)
        }
        do throws(Response.Cut) {
            try await stream(writer)
            return true
        } catch {
            return false
        }
    }

    private func write(_ piece: [UInt8]) async throws(Response.Cut) {
        // An empty chunk would end the body.
        if !piece.isEmpty, phase == .responding {
            output.appendChunk(piece)
            flush()
        }
        let mayGoOn = await withCheckedContinuation { writer in
            guard phase == .responding, output.isFull else {
                return writer.resume(returning: phase == .responding)
            }
            writers.append(writer)
        }
        guard mayGoOn else { throw Response.Cut() }
    }

    func endStream() {
        guard phase == .responding else { return }
        phase = .sending
        send(Array("0\r\n\r\n".utf8))
    }

    func resumeWriters(mayGoOn: Bool) {
        let resumed = writers
        writers = []
        for writer in resumed { writer.resume(returning: mayGoOn) }
    }
}
