import CommandLineTool

@main
enum Countersign {
    static let program = Program(
        name: "countersign",
        summary: "Approve requests from your bank with codes that only you can make.",
        version: Program.release,
        discussion: """
            Commands prompt for PINs and codes at the terminal, which does not show them. Programs
            can pass them by a file descriptor. Arguments and environment variables never contain a
            PIN or a code.

            On a terminal, a table that is wider than the screen has a paragraph for each row. All
            other output has one line for each row.

            Exit codes:
                0    success
                1    rejected, not decided, or decided before
                2    no request is pending
                64   wrong command line
                65   malformed file, notification or vault
                66   missing file, account or key
                69   cannot connect to the bank
                70   internal error, or no memory for secrets
                73   cannot create a file or folder
                74   cannot read or write
                75   temporary failure; try again later
                76   server or response not trusted; the result can be unknown
                77   PIN locked, device revoked, or file of another user
                130  interrupted at a prompt
            """,
        related: ["countersignd(8)"],
        commands: [
            ActivateCommand.self, AccountsCommand.self, PendingCommand.self, ShowCommand.self,
            ApproveCommand.self, RejectCommand.self, WatchCommand.self, FetchCommand.self,
            PushCommand.self, LoginCommand.self, OTPCommand.self, ChangePINCommand.self,
            BiometricsCommand.self, NotificationsCommand.self, RemoveCommand.self,
            DoctorCommand.self, SelfTestCommand.self,
        ]
    )

    static func main() {
        program.main()
    }
}
