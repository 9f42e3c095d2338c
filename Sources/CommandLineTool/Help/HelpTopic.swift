/// A page of help that belongs to no command: `countersign help exit-codes`.
package struct HelpTopic: Sendable {
    /// One word, which is not the name of a command.
    let name: String
    /// One sentence.
    let summary: String
    /// Indented lines, such as tables, keep their layout.
    let text: String

    package init(name: String, summary: String, text: String) {
        self.name = name
        self.summary = summary
        self.text = text
    }
}

extension Program {
    /// The part of the manual that holds for all commands.
    var manualDiscussion: String {
        ([discussion] + topics.map(\.text)).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}
