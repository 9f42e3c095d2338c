import Glibc

/// Reads one line from a terminal, without its line break; nil at the end of input.
///
/// `readLine` is not suitable: after Ctrl-D it reads no further line, and in the background it fails.
func typedLine(on descriptor: Int32) throws(CommandFailure) -> String? {
    var blocked = Interruption.unblockStop()
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    var line: [UInt8] = []
    while let byte = try nextByte(ofTerminal: descriptor) {
        guard byte != UInt8(ascii: "\n") else { return String(decoding: line, as: UTF8.self) }
        line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
}
