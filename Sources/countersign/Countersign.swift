import AuthenticationHandler
import CommandLineTool

@main
enum Countersign {
    static let program = Program(
        name: "countersign",
        summary: "Approve requests from your bank with codes that only you can make.",
        version: Program.release,
        related: ["countersignd(8)"],
        topics: [prompts, exitCodes],
        overview: OverviewCommand.self,
        commands: [
            ActivateCommand.self, AccountsCommand.self, PendingCommand.self, ShowCommand.self,
            ApproveCommand.self, RejectCommand.self, WatchCommand.self, LoginCommand.self,
            OTPCommand.self, ChangePINCommand.self, RemoveCommand.self, DoctorCommand.self,
        ],
        furtherCommands: [
            FetchCommand.self, PushCommand.self, BiometricsCommand.self,
            NotificationsCommand.self, SelfTestCommand.self,
        ]
    )

    private static let prompts = HelpTopic(
        name: "prompts",
        summary: "Show how PINs are read and a language is chosen.",
        text: """
            Commands prompt for PINs and codes at the terminal, which does not show them. Programs
            can pass them by a file descriptor. Arguments and environment variables never contain a
            PIN or a code.

            At a terminal, a command prompts again for a PIN that cannot be right, and Ctrl-C ends
            it. After a wrong PIN, it prints the number of attempts that are left.

            Prompts, messages and results are in German if LC_ALL, LC_MESSAGES or LANG names a German
            locale, such as de_DE.UTF-8. The first of them that is set counts. In every other locale,
            they are in English. In JSON, only sentences for people depend on the language. Help,
            options and exit codes do not.
            """
    )

    private static let exitCodes = HelpTopic(
        name: "exit-codes",
        summary: "Show the meaning of the exit codes.",
        text: """
            Exit codes:
                0    success
                1    rejected, not decided, or decided before
                2    no request is pending
                64   wrong command line
                65   malformed input, file, notification or vault
                66   missing file, account or key
                69   cannot connect to the bank
                70   internal error, or no memory for secrets
                73   cannot create a file or folder
                74   cannot read or write
                75   temporary failure; try again later
                76   server or response not trusted; the result can be unknown
                77   PIN locked, device revoked, or file of another user
                130  interrupted at a prompt
            """
    )

    static func main() {
        Language.useLocale()
        program.main()
    }
}
