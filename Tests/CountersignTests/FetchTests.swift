import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `countersign fetch` {
        private let person: Person

        init() throws {
            person = try Person.activated()
        }

        private func newRequest(_ reference: String, returningTo url: String = "") throws -> String
        {
            let member = url.isEmpty ? "" : #","returnURL":"\#(url)""#
            let created = try person.request(
                #"{"context":"action","title":"Move","reference":"\#(reference)","#
                    + #""authentication":["userPIN"]\#(member)}"#
            )
            return try #require(created["id"])
        }

        private var printed: String {
            get throws {
                String(
                    decoding: try Data(contentsOf: URL(filePath: person.home.path + "/printed")),
                    as: UTF8.self
                )
            }
        }

        /// Writes the output of the command to a file, separate from the screen.
        private func fetch(_ options: String = "") throws -> TerminalSession {
            try person.onTerminalOfShell(
                "fetch \(options) >\(person.home.path)/printed",
                then: "echo ended $?"
            )
        }

        @Test func `waits for a request, approves it and prints the return address`()
            throws
        {
            let session = try fetch()
            try session.wait(for: "Waiting for a request.\r\n")
            let id = try newRequest("R-1", returningTo: "https://bank.example/done?id=1")
            try session.wait(for: "ID         \(id)")
            try session.wait(for: #"Approve "Move"? (approve/reject/later) "#, typing: "approve\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "approved \(id)\r\nended 0\r\n")
            #expect(try session.end() == 0)
            #expect(try printed == "https://bank.example/done?id=1\n")
            #expect(try person.state(of: id) == "approved")
        }

        @Test func `runs a program with the return address, after it showed the host`() throws {
            let opened = person.home.path + "/opened"
            let opener = try person.program(
                "opener",
                #"echo opening; printf '%s\n' "$#" "$1" >"# + opened
                    + #"; ls /proc/self/fd | wc -l >>"# + opened
            )
            let session = try fetch("--return-opener \(opener)")
            try session.wait(for: "Waiting for a request.\r\n")
            let id = try newRequest("R-1", returningTo: "https://bank.example/back?a=$(id)&b=1")
            try session.wait(for: "ID         \(id)")
            try session.wait(for: "later) ", typing: "approve\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "approved \(id)\r\nContinuing at bank.example.\r\nended 0\r\n")
            #expect(try session.end() == 0)
            let lines = try String(contentsOfFile: opened, encoding: .utf8)
            // The standard streams, the folder that `ls` lists and the opened file.
            #expect(lines == "1\nhttps://bank.example/back?a=$(id)&b=1\n4\n")
        }

        @Test func `runs the program with a terminal that shows what is typed`() throws {
            let settings = person.home.path + "/settings"
            let opener = try person.program("opener", "stty -a </dev/tty >\(settings)")
            let session = try fetch("--return-opener \(opener)")
            _ = try newRequest("R-1", returningTo: "https://bank.example/back")
            try session.wait(for: "later) ", typing: "approve\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "ended 0\r\n")
            _ = try session.end()
            let modes = try String(contentsOfFile: settings, encoding: .utf8).split(separator: " ")
            #expect(modes.contains("echo") && modes.contains("icanon"), "\(modes)")
        }

        @Test func `keeps the decision if the program does not open the address`() throws {
            let opener = try person.program("opener", "exit 3")
            for (number, path) in [opener, "/missing/opener"].enumerated() {
                let session = try fetch("--return-opener \(path)")
                let id = try newRequest("R-\(number)", returningTo: "https://bank.example/")
                try session.wait(for: "later) ", typing: "approve\n")
                try session.wait(for: "PIN: ", typing: Person.pin + "\n")
                try session.wait(for: "The program \(path) did not open the address.")
                try session.wait(for: "ended 0\r\n")
                #expect(try session.end() == 0)
                #expect(try person.state(of: id) == "approved")
            }
        }

        /// The command of an app whose shop waits: without a terminal, and with the PIN from a file.
        @Test func `countersign approve runs the program too, after the decision`() throws {
            let opened = person.home.path + "/opened"
            let opener = try person.program("opener", #"printf '%s' "$1" >"# + opened)
            let id = try newRequest("R-1", returningTo: "https://bank.example/back")
            func approve(_ id: String, _ pin: String) throws -> FinishedProcess {
                try person.run("approve", id, "--yes", "--return-opener", opener, typing: pin)
            }
            let approved = try approve(id, Person.pin)
            #expect(approved.exitCode == 0)
            #expect(approved.errorOutput.hasSuffix("\nContinuing at bank.example.\n"))
            let url = try String(contentsOfFile: opened, encoding: .utf8)
            #expect(url == "https://bank.example/back")
            let refused = try newRequest("R-2", returningTo: "https://bank.example/back?2")
            #expect(try approve(refused, "000000").exitCode == 1)
            #expect(try String(contentsOfFile: opened, encoding: .utf8) == url)
        }

        @Test(arguments: ["fetch", "approve"])
        func `runs the program although the decision cannot be printed`(_ name: String) throws {
            let opened = person.home.path + "/opened"
            let opener = try person.program("opener", #"printf '%s' "$1" >"# + opened)
            let id = try newRequest("R-1", returningTo: "https://bank.example/back")
            let session = try person.onTerminalOfShell(
                "\(name) --return-opener \(opener) >/dev/full",
                then: "echo ended $?"
            )
            let word = name == "fetch" ? "approve" : "yes"
            try session.wait(for: "(\(word)/")
            try session.wait(for: ") ", typing: word + "\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "Continuing at bank.example.\r\n")
            try session.wait(for: "cannot write to standard output: No space left on device")
            try session.wait(for: "ended 74\r\n")
            _ = try session.end()
            let url = try String(contentsOfFile: opened, encoding: .utf8)
            #expect(url == "https://bank.example/back")
            #expect(try person.state(of: id) == "approved")
        }

        @Test func `prints the decision in JSON, and ignores a repeated reference`() throws {
            let first = try newRequest("R-1", returningTo: "https://bank.example/")
            var session = try fetch("--json")
            try session.wait(for: "later) ", typing: "reject\n")
            try session.wait(for: "ended 0")
            #expect(try session.end() == 0)
            #expect(
                try printed
                    == """
                    {"id":"\(first)","state":"rejected","rejectedFor":"unspecified",\
                    "returnURL":"https:\\/\\/bank.example\\/"}

                    """.replacing(#"\/"#, with: "/")
            )
            let repeated = try newRequest("R-1")
            session = try fetch("--json")
            try session.wait(for: "Waiting for a request.\r\n")
            let second = try newRequest("R-2")
            try session.wait(for: second)
            try session.wait(for: "later) ", typing: "approve\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "ended 0")
            #expect(try session.end() == 0)
            #expect(!session.screen.contains(repeated))
            let result = #"{"id":"\#(second)","state":"approved","approvedWith":"userPIN"}"#
            #expect(try printed == result + "\n")
            #expect(try person.state(of: repeated) == "pending")
        }

        @Test func `leaves a request undecided without input, and shows it again`() throws {
            let id = try newRequest("R-1", returningTo: "https://bank.example/")
            let alone = try person.countersign("fetch", "--json", "--pin-fd", "0")
            #expect(alone.exitCode == 1)
            #expect(alone.output == "")
            #expect(alone.errorOutput.hasPrefix("Move\n"))
            #expect(
                alone.errorOutput.hasSuffix(
                    """
                    countersign: nothing was decided, and the request remains pending
                    hint: run countersign approve \(id), or countersign reject \(id)

                    """
                )
            )
            for (keys, code) in [("later\n", 1), ("\u{4}", 1), ("\u{3}", 130)] {
                let session = try person.onTerminal("fetch")
                try session.wait(for: id)
                try session.wait(for: "later) ", typing: keys)
                #expect(try session.end() == code)
            }
            let session = try person.onTerminal("fetch")
            try session.wait(for: "later) ", typing: "approve\n")
            try session.wait(for: "PIN: ", typing: "27\u{3}")
            #expect(try session.end() == 130)
            #expect(try person.state(of: id) == "pending")
        }

        @Test func `prompts again after a wrong PIN, which counts`()
            throws
        {
            let id = try newRequest("R-1")
            for (left, pin, code) in [(4, "\u{3}", 130), (3, Person.pin + "\n", 0)] {
                #expect(try person.state(of: id) == "pending")
                let session = try person.onTerminal("fetch")
                try session.wait(for: id)
                try session.wait(for: "later) ", typing: "approve\n")
                try session.wait(for: "PIN: ", typing: "271906\n")
                try session.wait(for: "The PIN is wrong. \(left) attempts are left.")
                try session.wait(for: "PIN: ", typing: pin)
                #expect(try session.end() == code, "\(session.screen)")
                // The transaction was shown and confirmed once.
                #expect(session.screen.split(separator: "later) ").count == 2)
            }
            #expect(try person.state(of: id) == "approved")
        }

        @Test func `stops prompting when the PIN is locked`() throws {
            let id = try newRequest("R-1")
            let session = try person.onTerminal("fetch")
            try session.wait(for: "later) ", typing: "approve\n")
            for _ in 1...5 { try session.wait(for: "PIN: ", typing: "271906\n") }
            #expect([1, 77].contains(try session.end()), "\(session.screen)")
            #expect(session.screen.split(separator: "PIN: ").count == 6)
            #expect(try person.state(of: id) == "pending")
        }
    }
}
