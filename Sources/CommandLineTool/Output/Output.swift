import Glibc

/// Writes text to a file, a pipe or a terminal, without a buffer.
///
/// A failed write throws.
package struct Output: Sendable {
    package let write: @Sendable (String) throws(CommandFailure) -> Void
    /// Whether a person reads the output, and not a program.
    package let isScreen: Bool
    private let columnCount: @Sendable () -> Int?
    /// Whether long lines are broken at words: those of messages, but not of results.
    private let isWrapped: Bool
    /// Whether the screen shows styles.
    let isStyled: Bool

    package init(
        isScreen: Bool = false,
        columns: @autoclosure @escaping @Sendable () -> Int? = nil,
        isWrapped: Bool = false,
        isStyled: Bool = false,
        write: @escaping @Sendable (String) throws(CommandFailure) -> Void
    ) {
        self.write = write
        self.isScreen = isScreen
        columnCount = columns
        self.isWrapped = isWrapped
        self.isStyled = isStyled
    }

    /// The current width of the screen; nil without a screen.
    package var columns: Int? { columnCount() }

    package func print(_ line: String) throws(CommandFailure) {
        try write(wrapped(shown(line)) + "\n")
    }

    /// Lines that fit on the screen, broken at spaces only; the text itself without a screen.
    package func wrapped(_ text: String) -> String {
        guard isWrapped, let columns else { return text }
        return text.wrapped(toWidth: columns)
    }

    /// The end of a line that fits on the screen together with the cursor.
    func end(of line: String) -> String {
        guard var room = columns.map({ $0 - 1 }) else { return line }
        let end = line.reversed().prefix { character in
            room -= character.width
            return room >= 0
        }
        return String(end.reversed())
    }

    /// The text in bold (ECMA-48, SGR) if the screen shows it and the user allows it (no-color.org).
    package func bold(_ text: String) -> String {
        isStyled
            ? "\(Style.escape)\(Style.bold)\(text)\(Style.escape)\(Style.plain)" : text
    }
}

extension Output {
    static let standardOutput = Output(
        to: STDOUT_FILENO,
        named: localized("standard output", german: "die Standardausgabe")
    )
    static let standardError = Output(
        to: STDERR_FILENO,
        named: localized("standard error", german: "die Standardfehlerausgabe"),
        isWrapped: true
    )

    package init(to descriptor: Int32, named name: String, isWrapped: Bool = false) {
        self.init(
            isScreen: isatty(descriptor) == 1,
            columns: screenWidth(of: descriptor),
            isWrapped: isWrapped,
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
                    throw CommandFailure(
                        .inputOutput,
                        localized(
                            "cannot write to \(name): \(reason)",
                            german: "in \(name) lässt sich nicht schreiben: \(reason)"
                        )
                    )
                }
            }
        }
    }
}

private func screenWidth(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    // A serial console does not report its width.
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
}

private func showsStyles(_ descriptor: Int32) -> Bool {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isatty(descriptor) == 1 && variable("NO_COLOR").isEmpty
        && !["", "dumb"].contains(variable("TERM"))
}
