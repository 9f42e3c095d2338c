import Glibc

/// The path of a file.
package struct FilePath: ArgumentValue, Equatable {
    package static let valueName = "FILE"
    package static let expectation = "a file name"
    package static let candidates = Candidates.files

    package let text: String

    package init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }
}

extension FilePath {
    /// Its name in messages.
    package var shownName: String { text == "-" ? "standard input" : visible(text) }

    /// The whole file, or standard input if the path is `-`.
    ///
    /// Reading stops at `limit`: a device may have no end.
    package func contents(atMost limit: Int) throws(CommandFailure) -> [UInt8] {
        guard text != "-" else { return try read(STDIN_FILENO, atMost: limit) }
        let descriptor = open(text, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw openFailure(errno) }
        defer { close(descriptor) }
        return try read(descriptor, atMost: limit)
    }

    private func read(_ descriptor: Int32, atMost limit: Int) throws(CommandFailure) -> [UInt8] {
        var contents: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count == 0 { return contents }
            if count < 0 {
                if errno == EINTR { continue }
                throw CommandFailure(.inputOutput, "cannot read \(shownName): \(reason(errno))")
            }
            contents += block.prefix(count)
            guard contents.count <= limit else {
                let message = "\(shownName) is larger than \(limit >> 20) MiB"
                throw CommandFailure(.malformedInput, message)
            }
        }
    }

    private func openFailure(_ number: Int32) -> CommandFailure {
        let exitCode: ExitCode = number == EACCES ? .noPermission : .noInput
        return CommandFailure(exitCode, "cannot open \(shownName): \(reason(number))")
    }

    private func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
