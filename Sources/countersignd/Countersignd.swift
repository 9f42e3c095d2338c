import CommandLineTool

@main
enum Countersignd {
    static let program = Program(
        name: "countersignd",
        summary: "Run the verifier that checks what people approve, and look after it.",
        version: "0.1",
        commands: [InitCommand.self]
    )

    static func main() async {
        await program.main()
    }
}
