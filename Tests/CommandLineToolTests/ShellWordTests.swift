import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct `A word of a shell` {
    @Test(arguments: [
        ("bank/main/4711", "bank/main/4711"), ("--config=a.json", "'--config=a.json'"),
        ("", "''"), ("two words", "'two words'"), ("it's", #"'it'\''s'"#), ("#1000", "'#1000'"),
        ("$HOME;`id`", "'$HOME;`id`'"), ("~", "'~'"), ("töken", "'töken'"), ("a\nb", "'a\nb'"),
    ])
    func `is quoted only if it needs it, and is the same word again`(
        _ text: String,
        _ word: String
    ) throws {
        #expect(text.shellWord == word)
        let echoed = try FinishedProcess.run("sh", ["-c", "printf %s \(word)"])
        #expect(echoed.output == text)
    }
}
