import Glibc

extension FilePath {
    /// What a report calls it.
    package var shownName: String { text == "-" ? "standard input" : visible(text) }

    /// Everything in the file, or on standard input where the path is `-`.
    ///
    /// A file longer than `limit` is refused before it fills the memory; so is a device that never
    /// ends.
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
