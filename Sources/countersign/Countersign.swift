import CommandLineTool

@main
enum Countersign {
    static let program = Program(
        name: "countersign",
        summary: "Approve what your bank asks, with a code that only you can make.",
        version: Program.release,
        discussion: """
            PINs and codes are asked for at the terminal, which does not show them, or are read from a
            descriptor; no argument and no variable of the environment ever holds one.

            Exit codes:
                0    done
                1    no: not accepted, not decided, or decided before
                2    nothing is waiting
                64   the command line lacks something, or has too much
                65   a file, a notification or the vault is malformed
                66   a file, an account or a key is not there
                69   the bank cannot be reached
                70   this machine lacks something, such as memory for secrets
                73   a file or folder cannot be made
                74   reading or writing failed
                75   the same may succeed later
                76   the answer is not provably the bank's: how it went is not known
                77   the PIN is locked, the device revoked, or a file somebody else's
                130  interrupted at a question
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
