import CommandLineTool
import Storage
import ThreeDSIssuer

struct ChallengeShowCommand: Command {
    static let name = "challenge show"
    static let summary = "Show the state and the result of a challenge."
    static let discussion = """
        The page has no purchase and no data of the person. countersignd transaction show has them, \
        for the transaction of the challenge.

        \(Installation.storeOnly)
        """

    @Argument(help: ChallengeID.help) private var id: ChallengeID
    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let challenge = try await installation.withStore { store throws(CommandFailure) in
            try await installation.read(store) { [id] connection throws(StoreFailure) in
                try store.challenges(connection).challenge(id.text)
            }
        }
        guard let challenge else { throw .noChallenge(id) }
        let shown = ShownChallenge(challenge)
        try terminal.output.print(shown, inJSON: printsJSON, or: shown.page)
    }
}

extension CommandFailure {
    static func noChallenge(_ id: ChallengeID) -> CommandFailure {
        CommandFailure(.noInput, "there is no challenge \(id.text)")
            .suggesting("countersign-acs challenge list --all shows the challenges")
    }
}
