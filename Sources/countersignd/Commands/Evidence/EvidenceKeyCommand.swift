import CommandLineTool
import Cryptography

struct EvidenceKeyCommand: Command {
    static let name = "evidence key"
    static let summary = "Print the public key that verifies evidence and the journal."
    static let discussion = """
        Prints the public half of checkpointKey, in PEM. Every verifier has its own. Give it to \
        auditors in a trusted way: an attacker who replaces it can forge evidence.

            countersignd evidence key >checkpoint.pub
        """

    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let key = try Installation(readingFileAt: path).checkpointKey().publicKey
        try terminal.output.write(PublicKeyFile.text(of: key))
    }
}
