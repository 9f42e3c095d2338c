import CommandLineTool
import HardwareKeys
import WipingAllocator

@main
enum Countersignd {
    static let program = Program(
        name: "countersignd",
        summary: "Run and manage the verifier of transaction approvals.",
        version: Program.release,
        discussion: """
            On a terminal, a table that is wider than the screen has a paragraph for each row. All
            other output has one line for each row, with tabs between the columns.

            The commands must run as the user of the verifier's files. If root runs a command with
            files of another user, it changes nothing and prints the command line for that user.

            Exit codes:
                0    success
                1    refused: a decision, or an audit with findings
                2    no results
                64   wrong command line
                65   malformed configuration, file or store
                66   missing file, account or other resource
                69   cannot connect to the verifier or the database server
                70   internal error, or missing system resources
                73   cannot create a file, or it exists
                74   input/output error
                75   temporary failure: repeat the command
                76   untrusted server or response: the result can be unknown
                77   permission denied, or codes are locked
                130  interrupted
            """,
        section: 8,
        related: ["countersign(1)"],
        commands: [
            InitCommand.self, RunCommand.self, DoctorCommand.self, EnterpriseListCommand.self,
            PolicySetCommand.self, PolicyShowCommand.self, TokenCreateCommand.self,
            TokenListCommand.self, TokenRevokeCommand.self, AccountAddCommand.self,
            AccountShowCommand.self, AccountLinkCommand.self, AccountUnlinkCommand.self,
            AccountReplaceCommand.self,
            ActivationCreateCommand.self, ActivationListCommand.self, ActivationShowCommand.self,
            ActivationQRCommand.self, ActivationCodeCommand.self, TransactionCreateCommand.self,
            TransactionListCommand.self,
            TransactionShowCommand.self, TransactionWatchCommand.self,
            TransactionWithdrawCommand.self, UnlockCommand.self, DisableCommand.self,
            EnableCommand.self, ResyncCommand.self, RevokeCommand.self, LoadCommand.self,
            ExportCommand.self, RotateCommand.self, BackupCommand.self, RestoreCommand.self,
            ClockCommand.self, AuditVerifyCommand.self, AuditReportCommand.self,
            AuditExportCommand.self, EvidenceExportCommand.self, EvidenceVerifyCommand.self,
            EvidenceKeyCommand.self, OutboxListCommand.self, OutboxRetryCommand.self,
            ReferenceCommand.self,
        ]
    )

    static func main() {
        countersign_wipe_freed_memory()
        program.main(atEnd: SecurityModule.closeAll)
    }
}
