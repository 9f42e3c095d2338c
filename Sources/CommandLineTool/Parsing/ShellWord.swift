extension String {
    /// As one word of a POSIX shell.
    package var shellWord: String {
        guard isEmpty || !utf8.allSatisfy(isPlain) else { return self }
        let parts = split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}

extension CommandLine {
    /// The command line of this process, for a shell.
    package static var shellText: String { arguments.map(\.shellWord).joined(separator: " ") }
}

/// Whether a shell gives the byte no meaning, at any place of a word.
private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "%+,-./:@_".utf8.contains(byte)
    }
}
