import PrivateFiles

@testable import CommandLineTool

/// Collects what a command writes.
final class Transcript: Sendable {
    private let written = LockedValue((output: "", messages: ""))

    var output: String { written.withLock(\.output) }
    var messages: String { written.withLock(\.messages) }

    var terminal: Terminal {
        Terminal(
            output: Output { text in self.written.withLock { $0.output += text } },
            messages: Output { text in self.written.withLock { $0.messages += text } }
        )
    }
}
