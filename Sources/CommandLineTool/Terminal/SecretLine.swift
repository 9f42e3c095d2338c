import Glibc
import PrivateFiles

/// Reads one line from a descriptor, without its line break; nil if the line is empty.
///
/// It reads no byte after the line, and leaves no copy in ordinary memory.
package func secretLine(
    from descriptor: Int32,
    named name: String
) throws(CommandFailure) -> TypedSecret? {
    var line = SecretLine()
    defer { line.wipe() }
    while let byte = try nextByte(of: descriptor, named: name), byte != UInt8(ascii: "\n") {
        line.append(byte)
        if line.isTooLong { throw .secretTooLong }
    }
    return try line.secret()
}

/// Reads one line from a terminal that does not show it; nil if the line is empty.
///
/// Meanwhile no key sends a signal: Ctrl-C is a failure like any other, and so is Ctrl-D.
func typedSecret(
    on descriptor: Int32,
    asking ask: @escaping @Sendable () throws(CommandFailure) -> Void
) throws(CommandFailure) -> TypedSecret? {
    var blocked = Interruption.unblockStop()
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    var terminal = try SilencedTerminal(descriptor, for: .secret, asking: ask)
    defer { terminal.quieten() }
    var line = SecretLine()
    defer { line.wipe() }
    while let byte = try nextByte(ofTerminal: descriptor) {
        if terminal.hasRestarted() { line.removeAll() }
        switch Key(rawValue: byte) {
        case .enter, .newline: return try line.secret()
        case .interrupt, .quit:
            throw CommandFailure(.interrupted, localized("interrupted", german: "abgebrochen"))
        case .end where line.isEmpty: throw .inputEnded
        case .backspace, .delete: line.removeLast()
        case .kill: line.removeAll()
        // Stops the whole job, as the terminal would.
        case .suspend: kill(0, SIGTSTP)
        case .end: continue
        // The rest of a long line is read too: the next reader of the terminal would show it.
        case nil: line.append(byte)
        }
    }
    return nil
}

extension CommandFailure {
    fileprivate static var inputEnded: CommandFailure {
        CommandFailure(.noInput, localized("the input ended", german: "die Eingabe endete"))
    }
}

/// The keys that a terminal handles in its normal mode.
enum Key: UInt8 {
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

/// A buffer for one line.
///
/// It never grows, so no copy of its content is left behind.
private struct SecretLine {
    private var bytes = [UInt8](repeating: 0, count: TypedSecret.maximumByteCount)
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

    func secret() throws(CommandFailure) -> TypedSecret? {
        guard !isTooLong else { throw .secretTooLong }
        guard !isEmpty else { return nil }
        return try TypedSecret(copying: bytes.span.extracting(first: count))
    }

    mutating func wipe() { bytes.wipe() }
}

/// Nil at the end of input.
func nextByte(ofTerminal descriptor: Int32) throws(CommandFailure) -> UInt8? {
    try nextByte(of: descriptor, named: localized("the terminal", german: "das Terminal"))
}

/// Nil at the end of the file.
private func nextByte(
    of descriptor: Int32,
    named name: String
) throws(CommandFailure) -> UInt8? {
    var byte: UInt8 = 0
    do throws(FileFailure) {
        let count = try FileDescriptor.uninterrupted { read(descriptor, &byte, 1) }
        return count == 1 ? byte : nil
    } catch {
        throw .cannotRead(name, error, exitCode: .noInput)
    }
}
