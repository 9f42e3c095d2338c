import Glibc

/// Takes text to a file, a pipe or a terminal; text that did not get there is a failure.
///
/// Nothing is buffered: what `write` returned from has left the process.
package struct Output: Sendable {
    package let write: @Sendable (String) throws(CommandFailure) -> Void
    /// Whether a person sees what is written, and no program reads it.
    package let isScreen: Bool
    /// How many columns that screen has; nil where nobody says.
    package let columns: Int?
    /// Whether that screen can do more than plain text.
    private let isStyled: Bool

    package init(
        isScreen: Bool = false,
        columns: Int? = nil,
        isStyled: Bool = false,
        write: @escaping @Sendable (String) throws(CommandFailure) -> Void
    ) {
        self.write = write
        self.isScreen = isScreen
        self.columns = columns
        self.isStyled = isStyled
    }

    package func print(_ line: String) throws(CommandFailure) {
        try write(line + "\n")
    }

    /// The text in bold (ECMA-48, SGR), where that can be seen and is wanted (no-color.org).
    package func bold(_ text: String) -> String {
        isStyled ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }
}

extension Output {
    static let standardOutput = Output(to: STDOUT_FILENO, named: "standard output")
    static let standardError = Output(to: STDERR_FILENO, named: "standard error")

    package init(to descriptor: Int32, named name: String) {
        self.init(
            isScreen: isatty(descriptor) == 1,
            columns: columnCount(of: descriptor),
            isStyled: showsStyles(descriptor)
        ) { text throws(CommandFailure) in
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.write(descriptor, $0.baseAddress, $0.count)
                }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    let reason = String(cString: strerror(errno))
                    throw CommandFailure(.inputOutput, "cannot write to \(name): \(reason)")
                }
            }
        }
    }
}

private func columnCount(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}

private func showsStyles(_ descriptor: Int32) -> Bool {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isatty(descriptor) == 1 && variable("NO_COLOR").isEmpty
        && !["", "dumb"].contains(variable("TERM"))
}
