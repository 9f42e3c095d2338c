import Foundation
import Testing

// Serialized: shells would occupy the threads of other tests.
@Suite(.serialized) struct `Completion in a real shell` {
    /// The typed keys, with `⇥` for the Tab key, and the output of the completed command.
    private static let lines = [
        (keys: "countersign appr⇥1 --with bio⇥", output: "approved <1> by biometric"),
        ("countersign approve 2 --wi⇥con⇥", "approved <2> by consent"),
        ("countersign approve 3 --with=con⇥", "approved <3> by consent"),
        ("countersign approve 4:5 --with co⇥", "approved <4:5> by consent"),
        ("countersign tra⇥l⇥", "countersign: nothing is pending"),
        ("countersign push inv⇥", "pushed <invoice.json>"),
        ("countersign push ./two⇥", "pushed <./two words.json>"),
        ("countersign login --sign-f⇥inv⇥", "signed <invoice.json>"),
        ("countersign login --sign-file=./inv⇥", "signed <./invoice.json>"),
        // A parameter that is not a file has no completion.
        ("countersign approve inv⇥", "approved <inv> by default"),
        ("countersign login --sign inv⇥", "signed <inv>"),
    ]

    @Test(arguments: ShellSetup.all)
    func `completes commands, options, values and file names`(_ setup: ShellSetup) throws {
        let session = try ShellSession(setup)
        let completed = Result {
            for (keys, output) in Self.lines {
                try session.type(keys.replacing("⇥", with: "\t"), awaiting: output)
            }
        }
        try session.end()
        try completed.get()
    }
}
