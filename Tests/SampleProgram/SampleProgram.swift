import CommandLineTool

/// A small `countersign` whose commands only print their arguments.
let sampleProgram = Program(
    name: "countersign",
    summary: "Approve payments and logins from the command line.",
    version: "1.2.3",
    commands: [Approve.self, Push.self, Login.self, CreateTransaction.self, ListTransactions.self]
)

@main
struct Main {
    static func main() { sampleProgram.main() }
}
