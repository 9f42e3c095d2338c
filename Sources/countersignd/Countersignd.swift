import CommandLineTool

@main
enum Countersignd {
    static let program = Program(
        name: "countersignd",
        summary: "Look after the verifier that checks what people approve.",
        version: Program.release,
        discussion: """
            Exit codes:
                0    done
                1    no: refused, not approved, or an audit that found something
                2    there is nothing of what was asked for
                64   the command line lacks something, or has too much
                65   the configuration, a file or the store is malformed
                66   a file, an account or something else that is named is not there
                69   the verifier, or the server of its store, cannot be reached
                70   this machine lacks something, such as memory for secrets
                73   a file cannot be made, or is there already
                74   reading or writing failed
                75   the same may succeed later
                76   the answer is not provably the verifier's: how it went is not known
                77   the file or the token is not good for this, or codes are locked
                130  interrupted at a question
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
            ActivationQRCommand.self, TransactionCreateCommand.self, TransactionListCommand.self,
            TransactionShowCommand.self, TransactionWatchCommand.self,
            TransactionWithdrawCommand.self, UnlockCommand.self, DisableCommand.self,
            EnableCommand.self, ResyncCommand.self, RevokeCommand.self, LoadCommand.self,
            ExportCommand.self, RotateCommand.self, BackupCommand.self, RestoreCommand.self,
            AuditVerifyCommand.self, AuditReportCommand.self, AuditExportCommand.self,
            OutboxListCommand.self, OutboxRetryCommand.self,
        ]
    )

    static func main() {
        program.main()
    }
}
