import AuthenticationHandler
import CommandLineTool
import PrivateFiles

/// `--return-opener`.
struct ReturnOption: Sendable {
    @Option(
        "return-opener",
        help: localized(
            "After the decision, run this program with the return address, and wait for it.",
            german:
                "Startet nach der Entscheidung dieses Programm mit der Adresse und wartet darauf."
        )
    )
    private var program: FilePath?

    /// Shows the host, and runs the program without a shell until it ends.
    ///
    /// A failure of the program changes nothing: the decision is made.
    func open(
        _ redirect: ApprovalResult.Redirect,
        on terminal: Terminal
    ) throws(CommandFailure) {
        switch redirect {
        case .notRequested: break
        case .notAllowed: try terminal.messages.print(RequestSentences.returnURLNotAllowed)
        case .url(let url):
            guard let program else { return }
            let host = url.split(separator: "/", maxSplits: 2).dropFirst().first ?? ""
            let sentence = RequestSentences.returning(to: String(host.prefix { $0 != "?" }))
            try terminal.messages.print(sentence)
            // The program may ask the person.
            terminal.showTyping()
            // The reason does not help the person: `try?`.
            let status = try? ChildProcess.run(.init(path: program.text, arguments: [url]))
            guard status != 0 else { return }
            try terminal.messages.print(RequestSentences.returnFailed(program.shownName))
        }
    }
}
