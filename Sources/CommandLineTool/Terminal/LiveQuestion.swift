import Glibc

/// The response to a question that is drawn again every second.
package enum LiveResponse: Equatable, Sendable {
    case line(String)
    /// The person ended the input.
    case endOfInput
    /// The question was withdrawn.
    case withdrawn
}

extension Terminal {
    /// Shows a short question on one line, and draws it again every second until there is a
    /// response.
    ///
    /// `isWithdrawn` is called after each drawing, and must not wait.
    package func liveResponse(
        to question: @escaping @Sendable () -> String,
        unless isWithdrawn: () -> Bool
    ) async throws(CommandFailure) -> LiveResponse {
        var silence = try SilencedTerminal(STDIN_FILENO, for: .keys) {
            () throws(CommandFailure) in try redraw("\(question()) ")
        }
        defer { SilencedTerminal.end() }
        var line = KeyLine()
        while true {
            // In the background, it would disturb another program.
            if SilencedTerminal.isActive { try redraw("\(question()) \(line.text)") }
            switch try line.read(from: STDIN_FILENO, restartedBy: { silence.hasRestarted() }) {
            case .complete:
                try messages.write("\n")
                return .line(line.text)
            case .ended:
                try messages.write("\n")
                return .endOfInput
            case .open: break
            }
            if isWithdrawn() {
                try redraw("")
                return .withdrawn
            }
            // The connections of the command also need the thread.
            await Task.yield()
        }
    }

    /// Writes a note above a question that may be open at the moment.
    package func note(_ text: String) throws(CommandFailure) {
        if SilencedTerminal.isActive { try redraw("") }
        try messages.print(text)
        try SilencedTerminal.askAgain()
    }

    /// Replaces the whole line (ECMA-48, EL).
    ///
    /// A longer line would take a new line of the screen at each drawing.
    private func redraw(_ line: String) throws(CommandFailure) {
        try messages.write("\r\(messages.end(of: messages.shown(line)))\u{1B}[K")
    }
}

/// A line that is read key by key.
private struct KeyLine {
    enum State {
        case open, complete, ended
    }

    private static let intervalMilliseconds: Int32 = 1000
    private static let maximumByteCount = 64

    private var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Waits for a key, but not longer than until the next drawing.
    ///
    /// After a restart, the screen shows an empty line.
    mutating func read(
        from descriptor: Int32,
        restartedBy hasRestarted: () -> Bool
    ) throws(CommandFailure) -> State {
        guard SilencedTerminal.awaitForeground() else { return .open }
        let hasInput = Self.hasInput(descriptor)
        if hasRestarted() { bytes.removeAll() }
        // In the background, the input is for another program.
        guard hasInput, SilencedTerminal.isActive else { return .open }
        var blocked = Interruption.unblockStop()
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        guard let byte = try nextByte(ofTerminal: descriptor) else {
            return Self.isHungUp(descriptor) ? .ended : .open
        }
        // The read can have stopped the process.
        if hasRestarted() { bytes.removeAll() }
        switch Key(rawValue: byte) {
        case .enter, .newline: return .complete
        case .end where bytes.isEmpty: return .ended
        case .backspace, .delete: removeLast()
        case .kill: bytes.removeAll()
        case nil where byte >= 0x20 && bytes.count < Self.maximumByteCount: bytes.append(byte)
        default: break
        }
        return .open
    }

    private mutating func removeLast() {
        var text = text
        _ = text.popLast()
        bytes = Array(text.utf8)
    }

    private static func hasInput(_ descriptor: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, intervalMilliseconds) == 1
    }

    private static func isHungUp(_ descriptor: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&polled, 1, 0) == 1
    }
}
