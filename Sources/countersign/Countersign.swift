import CommandLineTool

@main
enum Countersign {
    static let program = Program(
        name: "countersign",
        summary: "Approve what your bank asks, with a code that only you can make.",
        version: "0.1",
        commands: [SelfTestCommand.self]
    )

    static func main() {
        program.main()
    }
}
