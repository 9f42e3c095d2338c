import AuthenticationHandler
import CommandLineTool
import PrivateFiles

/// `--return-opener`.
struct ReturnOption: Sendable {
    @Option(
        "return-opener",
        help: localized(
            "After the decision, run this program with the return address.",
            german: "Startet nach der Entscheidung dieses Programm mit der Adresse der Bank."
        )
    )
    private var program: FilePath?

    /// Shows the host, and runs the program without a shell.
    ///
    /// A failure of the program changes nothing: the decision is made.
    func open(
        _ redirect: ApprovalResult.Redirect,
        on terminal: Terminal
    ) throws(CommandFailure) {
        guard let program, case .url(let url) = redirect else { return }
        let host = url.split(separator: "/", maxSplits: 2).dropFirst().first ?? ""
        try terminal.messages.print(
            RequestSentences.returning(to: String(host.prefix { $0 != "?" }))
        )
        if !run(program, with: url) {
            try terminal.messages.print(RequestSentences.returnFailed(program.shownName))
        }
    }

    private func run(_ program: FilePath, with url: String) -> Bool {
        // The reason does not help the person: `try?`.
        guard let child = try? ChildProcess(.init(path: program.text, arguments: [url])) else {
            return false
        }
        return child.end() == 0
    }
}
