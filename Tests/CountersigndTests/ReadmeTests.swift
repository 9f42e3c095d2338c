import Foundation
import TestSupport
import Testing

@Suite struct `The README's commands for operators` {
    @Test func `do what they say, one after the other`() throws {
        let premises = try Premises()
        let readme = URL(filePath: #filePath).appending(path: "../../../README.md").standardized
        let commands = try String(contentsOf: readme, encoding: .utf8)
            .matches(of: /(?m)^countersignd ([^#\n]+)/).map { String($0.1) }
        try #require(commands.first?.hasPrefix("init") == true)
        for command in commands {
            let words = command.replacing("/srv/backup", with: premises.folder.path)
                .split(separator: " ").map(String.init)
            let run = try premises.countersignd(words)
            // A new verifier has nothing in its outbox.
            let expected: Int32 = words[0] == "outbox" ? 2 : 0
            #expect(run.exitCode == expected, "\(command): \(run.errorOutput)")
        }
        #expect(try premises.files().contains("monday.db"))
    }
}
