import CommandLineTool
import Storage
import ThreeDSIssuer

struct ChallengeSendCommand: Command {
    static let name = "challenge send"
    static let summary = "Send a result again that the ACS no longer sends."
    static let discussion = """
        The ACS gives up a result if it cannot reach the directory server for a day. It does not \
        repeat a result without a valid response. The command sends such a result once, with the \
        certificate of the ACS. An audit record shows that.

        Exits with 75 if no valid response or the error 403 comes: repeat the command later. Exits \
        with 1 if another error message comes. Then the result cannot be sent again. Also exits with \
        1 for any other result: the ACS sends it, the directory server has or refused it, or there is \
        none yet.

        \(Installation.storeOnly)
        """

    @Argument(help: ChallengeID.help) private var id: ChallengeID
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let outcome = try await installation.withStore { store throws(CommandFailure) in
            let service = try installation.configuration.service(over: store)
            return try await installation.onStore { () async throws(StoreFailure) in
                try await service.sendAgain(id.text)
            }
        }
        switch outcome {
        case .delivered:
            try terminal.output.print("The directory server has the result of \(id.text).")
        case .failed(let reason):
            throw CommandFailure(
                .tryLater,
                "the directory server did not accept the result: \(reason)",
                hint: "repeat the command when the directory server responds"
            )
        case .refused(let code):
            throw CommandFailure(
                .refused,
                "the directory server refused the result with the error \(code)",
                hint: "ask its operator whether it has the result: the error 301 can mean that"
            )
        case .notGivenUp(let state):
            throw CommandFailure(
                .refused,
                "the result of \(id.text) was not given up; its state is \"\(state.words)\""
            )
        case .noChallenge: throw .noChallenge(id)
        }
    }
}
