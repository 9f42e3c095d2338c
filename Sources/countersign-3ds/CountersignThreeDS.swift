import CommandLineTool
import WipingAllocator

@main
enum CountersignThreeDS {
    static let program = Program(
        name: "countersign-3ds",
        summary: "Check, open and make messages of card payments (EMV 3-D Secure).",
        version: Program.release,
        discussion: """
            FILE can be - for standard input. A key is a file, and never an argument:
                JSON web key         of the types oct, EC on P-256, and RSA (public only)
                private key in PEM   PKCS#8, for RSA or P-256
                certificate in PEM   only to encrypt and to verify; of a chain, the first

            The key chooses the algorithm. A token with another algorithm is refused. All refusals
            of tokens have one message, because details would help an attacker.

            Exit codes:
                0    success
                1    refused: a message with an error, or a token that is not authentic
                64   wrong command line
                65   malformed file or key
                66   missing file
                70   internal error, or no memory for secrets
                74   input/output error
                77   permission denied
                130  interrupted
            """,
        related: ["countersign(1)", "countersignd(8)"],
        commands: [
            CheckCommand.self, JWEOpenCommand.self, JWESealCommand.self, JWSOpenCommand.self,
            JWSSignCommand.self, SelfTestCommand.self,
        ]
    )

    static func main() {
        // A file can contain a card number or a key.
        countersign_wipe_freed_memory()
        program.main()
    }
}
