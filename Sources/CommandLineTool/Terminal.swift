/// Where a command writes.
package struct Terminal: Sendable {
    /// What the command was asked for.
    package let output: Output
    /// What a person should know besides, and failures.
    package let messages: Output

    static let standard = Terminal(output: .standardOutput, messages: .standardError)

    package init(output: Output, messages: Output) {
        self.output = output
        self.messages = messages
    }
}
