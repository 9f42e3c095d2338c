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
            InitCommand.self, RunCommand.self, TokenCreateCommand.self, TokenListCommand.self,
            TokenRevokeCommand.self, PolicySetCommand.self, PolicyShowCommand.self,
            LoadCommand.self, RotateCommand.self, BackupCommand.self, RestoreCommand.self,
            AuditVerifyCommand.self, AuditExportCommand.self, OutboxListCommand.self,
            OutboxRetryCommand.self,
        ]
    )

    static func main() {
        program.main()
    }
}
