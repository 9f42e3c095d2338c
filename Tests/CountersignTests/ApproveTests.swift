import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `countersign approve and reject` {
        private let person: Person

        init() throws {
            person = try Person.activated()
        }

        @Test func `show the signed data, and prompt for a confirmation and a hidden PIN`() throws {
            let id = try person.newPayment()
            let session = try person.onTerminal("approve", environment: ["NO_COLOR": "1"])
            for line in [
                "Amount      47.11 EUR", "DE89 3704 0044 0532 0130 00", "ID          \(id)",
            ] {
                try session.wait(for: line)
            }
            // Only "yes" confirms; the Return key alone does not.
            let question = "Approve 47.11 EUR to DE89 3704 0044 0532 0130 00 (Grocer)? (yes/no) "
            for typed in ["\n", "maybe\n", "yes\n"] {
                try session.wait(for: question, typing: typed)
            }
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            #expect(try session.end() == 0)
            #expect(session.screen.hasSuffix("PIN: \r\napproved \(id): Transfer\r\n"))
            #expect(try person.state(of: id) == "approved")
            // After the decision it is no longer pending.
            #expect(try person.countersign("reject", id).exitCode == 1)
        }

        @Test func `decide nothing if the person does not confirm`() throws {
            let id = try person.newPayment()
            let session = try person.onTerminal("approve", id)
            try session.wait(for: "(yes/no) ", typing: "n\n")
            #expect(try session.end() == 1)
            #expect(session.screen.contains("countersign: nothing was decided\r\n"))
            #expect(try person.state(of: id) == "pending")
        }

        @Test func `need no terminal with --yes and a file descriptor`() throws {
            let id = try person.newPayment()
            let run = try person.run("approve", id, "--yes", "--json", typing: Person.pin)
            #expect(run.exitCode == 0)
            #expect(
                run.output == #"{"id":"\#(id)","state":"approved","approvedWith":"userPIN"}"# + "\n"
            )
            #expect(run.errorOutput.hasPrefix("Transfer\n  Amount      47.11 EUR\n"))
            #expect(try person.state(of: id) == "approved")
        }

        @Test func `run askpass for the PIN without a terminal`() throws {
            let id = try person.newPayment()
            let promptFile = person.home.path + "/prompt"
            func approve(withAskpass script: String) throws -> FinishedProcess {
                let program = try person.home.write("#!/bin/sh\n" + script, to: "askpass")
                try #require(chmod(program, 0o700) == 0)
                let settings = person.bank.settings
                try person.trust(settings.dropLast() + #","askpass":"\#(program)"}"#)
                return try person.countersign("approve", id, "--yes")
            }
            // The output of an askpass program that fails is not used.
            let silences = ["exit 1", "echo \(Person.pin); exit 1"]
            for silence in silences {
                let silent = try approve(withAskpass: silence)
                #expect(silent.exitCode == 65)
                #expect(silent.errorOutput.hasSuffix("countersign: the PIN is empty\n"))
            }
            let approved = try approve(
                withAskpass: "printf %s \"$1\" >\(promptFile)\nexec yes \(Person.pin)\n"
            )
            #expect(approved.exitCode == 0, "\(approved.errorOutput)")
            #expect(try String(contentsOfFile: promptFile, encoding: .utf8) == "PIN:")
            #expect(try person.state(of: id) == "approved")
        }

        /// The kernel then keeps no status of a child process.
        @Test func `run askpass also if the parent process ignores the ends of processes`() throws {
            let id = try person.newPayment()
            let program = try person.home.write("#!/bin/sh\necho \(Person.pin)\n", to: "askpass")
            try #require(chmod(program, 0o700) == 0)
            let settings = person.bank.settings
            try person.trust(settings.dropLast() + #","askpass":"\#(program)"}"#)
            let script = """
                import os, signal, sys

                signal.signal(signal.SIGCHLD, signal.SIG_IGN)
                os.execv(sys.argv[1], sys.argv[1:])
                """
            let approved = try person.run(
                "/usr/bin/python3",
                ["-c", script, BuiltProducts.path(of: "countersign"), "approve", id, "--yes"]
            )
            #expect(approved.exitCode == 0, "\(approved.errorOutput)")
        }

        @Test(arguments: [("approve", "yes"), ("fetch", "approve")])
        func `report an unknown result if Ctrl-C ends them while they send`(
            _ command: String,
            word: String
        ) throws {
            let bank = try Bank()
            let person = try Person.activated(of: bank)
            let id = try person.newPayment()
            let session = try person.onTerminal(command)
            try session.wait(for: "?", typing: "\(word)\n")
            try session.wait(for: "PIN: ")
            try bank.signal(SIGSTOP)
            defer { #expect(throws: Never.self) { try bank.signal(SIGCONT) } }
            try session.type(Person.pin + "\n")
            let port = try #require(bank.origin.split(separator: ":").last.flatMap { Int($0) })
            let address = "0100007F:" + String(port, radix: 16, uppercase: true)
            // A connection of the stopped verifier has received the approval.
            let received = try Regex(" \(address) [0-9A-F:]+ 01 [0-9A-F]+:0*[1-9A-F]")
            try spinUntil { try systemTable("/proc/net/tcp").contains(received) }
            try session.type("\u{3}")
            try session.wait(for: "it is unknown whether the bank has your decision\r\n")
            try session.wait(for: "hint: check it with countersign show \(id)")
            #expect(try session.end() == 130)
        }

        @Test func `read a PIN that is too long to its end`() throws {
            let left = "stty -icanon -echo min 0 time 2; echo left $(dd bs=9 count=1 2>&- | wc -c)"
            let session = try person.onTerminalOfShell("otp", then: left)
            try session.wait(for: "PIN: ", typing: String(repeating: "1", count: 600) + "\n")
            try session.wait(for: "is longer than 512 bytes")
            try session.wait(for: "PIN: ", typing: "\u{4}")
            try session.wait(for: "countersign: the input ended")
            try session.wait(for: "left 0")
            #expect(!session.screen.contains("1111"))
        }

        @Test func `run askpass once for a malformed PIN`() throws {
            let program = try person.home.write("#!/bin/sh\necho 12\n", to: "askpass")
            try #require(chmod(program, 0o700) == 0)
            let settings = person.bank.settings
            try person.trust(settings.dropLast() + #","askpass":"\#(program)"}"#)
            let refused = try person.run(
                "timeout",
                ["30", BuiltProducts.path(of: "countersign"), "change-pin"]
            )
            #expect(refused.exitCode == 1)
            #expect(
                refused.errorOutput == """
                    countersign: the PIN is too short
                    hint: check the PIN, and try again

                    """
            )
        }

        @Test func `give askpass the environment byte for byte`() throws {
            let script = "#!/bin/sh\nprintf %s \"$BYTES\" >\(person.home.path)/bytes\n"
            let program = try person.home.write(script, to: "askpass")
            try #require(chmod(program, 0o700) == 0)
            let settings = person.bank.settings
            try person.trust(settings.dropLast() + #","askpass":"\#(program)"}"#)
            let command = #"BYTES=$(printf '=\377=') exec "$0" change-pin"#
            let run = try person.run("sh", ["-c", command, BuiltProducts.path(of: "countersign")])
            #expect(run.errorOutput.hasSuffix("countersign: the old PIN is empty\n"))
            let bytes = try Data(contentsOf: URL(filePath: person.home.path + "/bytes"))
            #expect(bytes == Data("=".utf8) + [0xff] + Data("=".utf8))
        }

        @Test func `reject a terminal as the file descriptor of the PIN`() throws {
            let id = try person.newPayment()
            let words = ["approve", id, "--yes", "--pin-fd", "0"]
            let session = try person.onTerminal(words, columns: 80)
            try session.wait(for: "an open file descriptor, as in 3<FILE, and not a\r\n  terminal")
            #expect(try session.end() == 64)
        }

        @Test func `accept the unique end of an id`() throws {
            let id = try person.newPayment()
            for other in [String(id.prefix(8)), "zzzz"] {
                #expect(try person.countersign("show", other).exitCode == 2)
            }
            let short = try person.countersign("show", String(id.suffix(3)))
            #expect(short.exitCode == 64)
            let reason = "countersign: the end of an id needs at least 4 characters\n"
            #expect(short.errorOutput.hasPrefix(reason), "\(short.errorOutput)")
            let end = String(id.suffix(8))
            #expect(try person.countersign("show", end).output.contains(id))
            // An approval without a prompt needs the whole id.
            let unseen = try person.run("approve", end, "--yes", typing: Person.pin)
            #expect(unseen.exitCode == 64)
            let whole = "countersign: --yes needs the whole ID of the request\n"
            #expect(unseen.errorOutput.hasPrefix(whole), "\(unseen.errorOutput)")
            let session = try person.onTerminal("approve", end)
            try session.wait(for: "(yes/no) ", typing: "yes\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            #expect(try session.end() == 0)
            #expect(try person.state(of: id) == "approved")
        }

        @Test func `limit the length of a PIN, and do not count a malformed PIN`()
            throws
        {
            let id = try person.newPayment()
            let program = BuiltProducts.path(of: "countersign")
            let line = "timeout 30 \(program) approve \(id) --yes --pin-fd 3 3</dev/zero"
            let endless = try person.run("sh", ["-c", line])
            #expect(endless.exitCode == 65)
            for (typed, reason) in [
                ("73918a", "digits"), ("739 182", "digits"), ("739", "too short"),
                ("\u{FF17}\u{FF13}\u{FF19}\u{FF11}", "digits"),
            ] {
                let run = try person.run("approve", id, "--yes", typing: typed)
                #expect(run.exitCode == 1)
                #expect(run.errorOutput.contains(reason), "\(run.errorOutput)")
            }
            let wrong = try person.run("approve", id, "--yes", typing: "271906")
            #expect(wrong.errorOutput.contains("(4 attempts left)"))
        }

        @Test func `need --yes, an ID and --pin-fd without a terminal`() throws {
            let id = try person.newPayment()
            let fromInput = ["--pin-fd", "0"]
            for words in [fromInput, ["--yes"] + fromInput, [id] + fromInput, [id, "--yes"]] {
                let run = try person.countersign(["approve"] + words, typing: [Person.pin])
                #expect(run.exitCode == 64, "\(words)")
                #expect(run.errorOutput.contains("\nhint: "))
            }
            let empty = try person.countersign("approve", id, "--yes", "--pin-fd", "0")
            #expect(empty.exitCode == 65)
            #expect(empty.errorOutput.hasSuffix("countersign: the PIN is empty\n"))
            for (count, exitCode) in [(65, 1), (600, 65)] as [(Int, Int32)] {
                let long = String(repeating: "1", count: count)
                #expect(try person.run("approve", id, "--yes", typing: long).exitCode == exitCode)
            }
            #expect(try person.state(of: id) == "pending")
        }

        @Test func `report the attempts left, exit with 77 when locked, and still reject`() throws {
            let id = try person.newPayment()
            func tryWrong() throws -> FinishedProcess {
                try person.run("approve", id, "--yes", typing: "271906")
            }
            let first = try tryWrong()
            #expect(first.exitCode == 1)
            #expect(first.errorOutput.contains("the PIN is wrong (4 attempts left)\n"))
            for _ in 2...3 { _ = try tryWrong() }
            let fourth = try tryWrong()
            #expect(fourth.errorOutput.contains("the PIN is wrong (1 attempt left)\nhint: another"))
            // The fifth wrong PIN locks it.
            _ = try tryWrong()
            let locked = try tryWrong()
            #expect(locked.exitCode == 77)
            #expect(locked.errorOutput.contains("locked after too many failures (for "))
            #expect(try person.state(of: id) == "pending")
            let rejected = try person.countersign("reject", id, "--not-me", "--json")
            #expect(
                rejected.output
                    == #"{"id":"\#(id)","state":"rejected","rejectedFor":"notMe"}"# + "\n"
            )
            #expect(try person.state(of: id) == "rejected")
        }

        @Test
        func `prompt again at a terminal while attempts are left`()
            throws
        {
            let id = try person.newPayment()
            let session = try person.onTerminal("approve", id)
            try session.wait(for: "(yes/no) ", typing: "yes\n")
            for left in [4, 3] {
                try session.wait(for: "PIN: ", typing: "271906\n")
                try session.wait(for: "The PIN is wrong. \(left) attempts are left.")
            }
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            #expect(try session.end() == 0, "\(session.screen)")
            #expect(try person.state(of: id) == "approved")
            let other = try person.newPayment()
            let pin = try person.home.write("271906\n" + Person.pin + "\n", to: "pin")
            let scripted = try person.onTerminalOfShell(
                "approve \(other) --yes --pin-fd 3 3<\(pin)",
                then: "echo ended $?"
            )
            try scripted.wait(for: "(4 attempts left)\r\n")
            try scripted.wait(for: "ended 1\r\n")
            #expect(try scripted.end() == 0)
            #expect(try person.state(of: other) == "pending")
        }

        @Test func `prompt for the authentication method, and need an ID if several are pending`()
            throws
        {
            let first = try person.newPayment(authentication: #"["userPIN","consent"]"#)
            let second = try person.newPayment()
            let ambiguous = try person.onTerminal("approve")
            #expect(try ambiguous.end() == 64)
            #expect(ambiguous.screen.contains("2 requests are pending"))
            let listed = try person.countersign("reject")
            #expect(listed.exitCode == 64)
            for id in [first, second] {
                #expect(listed.errorOutput.contains("\(id.suffix(4))  Transfer: 47.11 EUR to"))
            }
            #expect(
                listed.errorOutput.hasSuffix(
                    """
                    countersign: 2 requests are pending
                    hint: name one of them by its id

                    """
                )
            )
            let session = try person.onTerminal("approve", first)
            try session.wait(for: "(yes/no) ", typing: "y\n")
            try session.wait(for: "Authentication method? (consent/pin) ", typing: "consent\n")
            #expect(try session.end() == 0)
            let approved = try person.backend.get("/transactions/\(first)")
            #expect(approved["approvedWith"] == "consent")
            // The second transaction accepts only a PIN.
            let consent = try person.countersign("approve", second, "--yes", "--with", "consent")
            #expect(consent.exitCode == 1)
            #expect(try person.state(of: second) == "pending")
            let reason = try person.countersign("reject", "--reason", "noLongerWanted")
            #expect(
                reason.errorOutput == """
                    Rejecting the only pending request: 47.11 EUR to \
                    DE89 3704 0044 0532 0130 00 (Grocer).

                    """
            )
            #expect(reason.output == "rejected \(second): Transfer\n")
            #expect(
                try person.backend.get("/transactions/\(second)")["rejectedFor"] == "noLongerWanted"
            )
        }

        @Test func `prompt for the number that the bank shows`() throws {
            let person = try Person.activated(at: "careful")
            let created = try person.request(#"{"context":"login","title":"Log in"}"#)
            let (id, number) = (try #require(created["id"]), try #require(created["number"]))
            let nobody = try person.run("approve", id, "--yes", typing: Person.pin)
            #expect(nobody.exitCode == 64)
            let session = try person.onTerminal("approve")
            try session.wait(for: "(yes/no) ", typing: "yes\n")
            try session.wait(for: "The 2-digit number that the bank shows: ", typing: "1x\n")
            try session.wait(for: "The 2-digit number that the bank shows: ", typing: number + "\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            #expect(try session.end() == 0)
            #expect(try person.state(of: id) == "approved")
        }

        @Test func `change nothing if Ctrl-C ends them at a prompt`() throws {
            let id = try person.newPayment()
            let session = try person.onTerminal("approve")
            try session.wait(for: "(yes/no) ", typing: "ye\u{3}")
            #expect(try session.end() == 130)
            #expect(try person.state(of: id) == "pending")
        }

        @Test func `restore the terminal if Ctrl-C ends them at the PIN`() throws {
            let id = try person.newPayment()
            let session = try person.onTerminalOfShell("approve", then: "echo ended $?; stty -a")
            try session.wait(for: "(yes/no) ", typing: "yes\n")
            try session.wait(for: "PIN: ", typing: "27\u{3}")
            try session.wait(for: "\r\ncountersign: interrupted\r\nended 130\r\n")
            try session.wait(for: " icanon ")
            #expect(try session.end() == 0)
            #expect(session.screen.contains(" echo "))
            #expect(!session.screen.contains("-isig"))
            #expect(try person.state(of: id) == "pending")
            #expect(try person.run("approve", id, "--yes", typing: Person.pin).exitCode == 0)
        }
    }
}
