import CommandLineTool

extension Flag {
    static let yes = Flag("yes", help: "Do not ask.")
}

extension Terminal {
    /// Goes on only where a person says yes, or said so on the command line.
    func agree(to question: String, isAgreed: Bool) throws(CommandFailure) {
        guard !isAgreed else { return }
        switch try confirms(question) {
        case true?: return
        case false?: throw CommandFailure(.refused, "nothing was changed")
        case nil:
            throw CommandFailure(
                .usage,
                "this must be agreed to, and nobody is at the terminal",
                hint: "--yes agrees"
            )
        }
    }
}
