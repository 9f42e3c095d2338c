import Glibc

/// Takes text to a file, a pipe or a terminal; text that did not get there is a failure.
///
/// Nothing is buffered: what `write` returned from has left the process.
package struct Output: Sendable {
    package let write: @Sendable (String) throws(CommandFailure) -> Void

    package init(write: @escaping @Sendable (String) throws(CommandFailure) -> Void) {
        self.write = write
    }

    package func print(_ line: String) throws(CommandFailure) {
        try write(line + "\n")
    }
}

extension Output {
    static let standardOutput = Output(to: STDOUT_FILENO, named: "standard output")
    static let standardError = Output(to: STDERR_FILENO, named: "standard error")

    package init(to descriptor: Int32, named name: String) {
        self.init { text throws(CommandFailure) in
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
