import CommandLineTool
import WipingAllocator

@main
enum CountersignACS {
    static let program = Program(
        name: "countersign-acs",
        summary: "Manage the server of a card issuer (ACS) for EMV 3-D Secure.",
        version: Program.release,
        discussion: """
            The ACS requests an approval of each payment at the verifier of countersignd. It returns
            the result to the directory server of the card scheme.

            The commands must run as the user of the files. If root runs a command with files of
            another user, it changes nothing and prints the command line for that user.

            Exit codes:
                0    success
                1    refused: problems were found, the card exists, or the result was not given up
                2    no results
                64   wrong command line
                65   malformed configuration, file or store
                66   missing file, card or challenge
                69   cannot connect to the database server
                70   internal error, or missing system resources
                73   cannot create a file, or it exists
                74   input/output error
                75   temporary failure: repeat the command
                77   permission denied
                130  interrupted
            """,
        section: 8,
        related: ["countersignd(8)", "countersign-3ds(1)"],
        commands: [
            InitCommand.self, RunCommand.self, DoctorCommand.self, CardAddCommand.self,
            CardListCommand.self, CardBlockCommand.self, CardUnblockCommand.self,
            CardRemoveCommand.self, LoadCommand.self, ChallengeListCommand.self,
            ChallengeShowCommand.self, ChallengeSendCommand.self, AuditVerifyCommand.self,
            AuditListCommand.self, RotateCommand.self, BackupCommand.self, ReferenceCommand.self,
        ]
    )

    static func main() {
        // Files contain keys and tokens, and messages contain card numbers.
        countersign_wipe_freed_memory()
        program.main()
    }
}
