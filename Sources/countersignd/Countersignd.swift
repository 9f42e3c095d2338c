import CommandLineTool

@main
enum Countersignd {
    static let program = Program(
        name: "countersignd",
        summary: "Look after the verifier that checks what people approve.",
        version: "0.1",
        section: 8,
        related: ["countersign(1)"],
        commands: [
            InitCommand.self, RunCommand.self, DoctorCommand.self, EnterpriseListCommand.self,
            PolicySetCommand.self, PolicyShowCommand.self, TokenCreateCommand.self,
            TokenListCommand.self, TokenRevokeCommand.self, AccountAddCommand.self,
            AccountShowCommand.self, AccountLinkCommand.self, AccountReplaceCommand.self,
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
