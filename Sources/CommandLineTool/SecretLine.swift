import Glibc
package import OneTimePassword

/// The next line of a descriptor, without its end; nil where nothing is in it.
///
/// No byte after it is read, and no copy of it is left behind.
package func secretLine(
    from descriptor: Int32,
    named name: String
) throws(CommandFailure) -> SecretBytes? {
    var line = SecretLine()
    defer { line.wipe() }
    while let byte = try nextByte(of: descriptor, named: name), byte != UInt8(ascii: "\n") {
        line.append(byte)
        if line.isTooLong { throw .notSecret }
    }
    return try line.secret()
}

/// The line that somebody types once he is asked, at a terminal that shows nothing of it; nil where
/// none comes.
///
/// Meanwhile the terminal makes no signal of any key: whoever interrupts is told so, and the command
/// ends as it does after any failure.
func typedSecret(
    on descriptor: Int32,
    asking ask: @escaping @Sendable () throws(CommandFailure) -> Void
) throws(CommandFailure) -> SecretBytes? {
    var blocked = Interruption.unblockStop()
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    var terminal = try SilencedTerminal(descriptor, asking: ask)
    defer { terminal.end() }
    var line = SecretLine()
    defer { line.wipe() }
    while let byte = try nextByte(of: descriptor, named: "the terminal") {
        if terminal.beganAgain() { line.removeAll() }
        switch Key(rawValue: byte) {
        case .enter, .newline: return try line.secret()
        case .interrupt, .quit: throw CommandFailure(.interrupted, "interrupted")
        case .end where line.isEmpty: return nil
        case .backspace, .delete: line.removeLast()
        case .kill: line.removeAll()
        // The whole job, as the terminal would.
        case .suspend: kill(0, SIGTSTP)
        case .end: continue
        // What is too long is read to its end: whatever reads from the terminal next would show it.
        case nil: line.append(byte)
        }
    }
    return nil
}

/// What a terminal makes of keys, where it is left to.
private enum Key: UInt8 {
    case interrupt = 0x03
    case end = 0x04
    case backspace = 0x08
    case newline = 0x0A
    case enter = 0x0D
    case kill = 0x15
    case suspend = 0x1A
    case quit = 0x1C
    case delete = 0x7F
}

extension CommandFailure {
    fileprivate static let notSecret = CommandFailure(
        .malformedInput,
        "what came in the place of a secret is too long for one"
    )
}

/// Room for one line, which does not move.
private struct SecretLine {
    private var bytes = [UInt8](repeating: 0, count: SecretBytes.maximumByteCount)
    private var count = 0

    private(set) var isTooLong = false

    var isEmpty: Bool { count == 0 }

    mutating func append(_ byte: UInt8) {
        guard count < bytes.count else { return isTooLong = true }
        bytes[count] = byte
        count += 1
    }

    mutating func removeLast() { count = max(0, count - 1) }

    mutating func removeAll() {
        count = 0
        isTooLong = false
    }

    func secret() throws(CommandFailure) -> SecretBytes? {
        guard !isTooLong else { throw .notSecret }
        guard !isEmpty else { return nil }
        do throws(Secret.Failure) {
            return try SecretBytes(copying: bytes.span.extracting(first: count))
        } catch .machine(let failure) {
            throw CommandFailure(failure)
        } catch {
            throw .notSecret
        }
    }

    mutating func wipe() {
        bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            explicit_bzero(start, bytes.count)
        }
    }
}

/// Nil at the end.
private func nextByte(
    of descriptor: Int32,
    named name: String
) throws(CommandFailure) -> UInt8? {
    var byte: UInt8 = 0
    while true {
        let count = read(descriptor, &byte, 1)
        if count == 1 { return byte }
        if count == 0 { return nil }
        if errno == EINTR { continue }
        let reason = String(cString: strerror(errno))
        throw CommandFailure(.noInput, "cannot read \(name): \(reason)")
    }
}
