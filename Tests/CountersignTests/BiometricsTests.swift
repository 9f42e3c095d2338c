import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    /// A biometric program whose result the test chooses.
    @Suite struct `countersign biometrics` {
        private static let bothWays = #"["userPIN","biometric"]"#

        private let person: Person

        init() throws {
            person = try Person.activated(at: "sensing")
            let program = try person.home.write(
                """
                #!/bin/sh
                read -r verb name
                [ "$verb" != make ] || head -c 32 /dev/urandom >"$HOME/key"

                # A test can replace the response to a release.
                if [ "$verb" = release ] && [ -e "$HOME/response" ]; then
                    cat "$HOME/response"; exit
                fi
                [ "$verb" = delete ] || { echo key && cat "$HOME/key"; }
                """,
                to: "recognise"
            )
            try #require(chmod(program, 0o700) == 0)
            try person.trust(
                person.bank.settings.dropLast() + #", "biometrics": "\#(program)"}"#
            )
        }

        private func turnOn() throws {
            let on = try person.run("biometrics", "on", typing: Person.pin)
            try #require(on.exitCode == 0, "\(on.errorOutput)")
            #expect(on.output == "biometrics are on\n")
        }

        /// Makes the program respond to each release with this line.
        private func setResponse(_ line: String) throws {
            _ = try person.home.write(line + "\n", to: "response")
        }

        private func approvedWith(_ id: String) throws -> String? {
            try person.backend.get("/transactions/\(id)")["approvedWith"]
        }

        @Test func `are enabled with the PIN, approve, log in, and are disabled`() throws {
            let wrong = try person.run("biometrics", "on", typing: "271906")
            #expect(wrong.exitCode == 1)
            #expect(wrong.errorOutput.contains("(4 attempts left)"))
            #expect(try person.countersign("login", "--with", "biometric").exitCode == 1)
            try turnOn()
            let id = try person.newPayment(authentication: Self.bothWays)
            let session = try person.onTerminal("approve", id)
            try session.wait(for: "(yes/no) ", typing: "yes\n")
            try session.wait(for: "Authentication method? (pin/biometric) ", typing: "biometric\n")
            #expect(try session.end() == 0, "\(session.screen)")
            #expect(!session.screen.contains("PIN: "))
            #expect(try approvedWith(id) == "biometric")
            let login = try person.countersign("login", "--with", "biometric")
            #expect(login.output.wholeMatch(of: /[0-9a-f]{32}\n/) != nil, "\(login.errorOutput)")
            let off = try person.countersign("biometrics", "off")
            #expect(off.output == "biometrics are off\n", "\(off.errorOutput)")
            let late = try person.countersign("login", "--with", "biometric")
            #expect(late.exitCode == 1)
            #expect(
                late.errorOutput.contains("is not turned on for this account\nhint: use the PIN")
            )
        }

        @Test(arguments: [
            ("soft-limit", "Authentication method? (biometric/pin) ", "pin\n"),
            ("hard-limit", "", ""),
            ("fallback", "", ""),
        ])
        func `make approve, fetch and login offer the PIN if they fail`(
            _ response: String,
            _ question: String,
            _ choice: String
        ) throws {
            try turnOn()
            try setResponse(response)
            for command in ["approve", "fetch", "login"] {
                let id =
                    command == "login"
                    ? nil : try person.newPayment(authentication: Self.bothWays)
                let session = try person.onTerminal(command, "--with", "biometric")
                if command == "approve" { try session.wait(for: "(yes/no) ", typing: "yes\n") }
                if command == "fetch" { try session.wait(for: "later) ", typing: "approve\n") }
                if !question.isEmpty { try session.wait(for: question, typing: choice) }
                try session.wait(for: "PIN: ", typing: Person.pin + "\n")
                #expect(try session.end() == 0, "\(command): \(session.screen)")
                if let id { #expect(try approvedWith(id) == "userPIN") }
            }
        }

        @Test func `end login if they fail and no method is chosen`() throws {
            try turnOn()
            try setResponse("soft-limit")
            let session = try person.onTerminal("login", "--with", "biometric")
            try session.wait(for: "Authentication method? (biometric/pin) ", typing: "\u{4}")
            #expect(try session.end() == 64, "\(session.screen)")
            #expect(session.screen.contains("there are several authentication methods"))
            #expect(session.screen.contains("--with biometric or --with pin"))
        }

        @Test func `can be retried and cost no attempt`() throws {
            try turnOn()
            try setResponse("failure")
            let id = try person.newPayment(authentication: Self.bothWays)
            let session = try person.onTerminal("approve", id, "--with", "biometric")
            try session.wait(for: "(yes/no) ", typing: "yes\n")
            try session.wait(for: "Try again? (yes/no) ", typing: "yes\n")
            try session.wait(for: "Try again? (yes/no) ", typing: "no\n")
            #expect(try session.end() == 1, "\(session.screen)")
            #expect(try person.state(of: id) == "pending")
            // Without a terminal there is no prompt and only one attempt.
            let alone = try person.countersign("approve", id, "--yes", "--with", "biometric")
            #expect(alone.exitCode == 1)
            #expect(
                alone.errorOutput.contains("was not recognized\nhint: try again, or use the PIN")
            )
            let pin = try person.run("approve", id, "--yes", "--with", "pin", typing: "271906")
            #expect(pin.errorOutput.contains("(4 attempts left)"))
        }

        @Test func `are rejected without a program or without the bank's permission`() throws {
            try person.trust(person.bank.settings)
            let alone = try person.run("biometrics", "on", typing: Person.pin)
            #expect(alone.exitCode == 1)
            #expect(alone.errorOutput.contains("that can be used\nhint: use the PIN"))
            let other = try Person.activated()
            let program = person.home.path + "/recognise"
            try other.trust(other.bank.settings.dropLast() + #", "biometrics": "\#(program)"}"#)
            let refused = try other.run("biometrics", "on", typing: Person.pin)
            #expect(refused.exitCode == 1)
            #expect(refused.errorOutput.contains("does not allow this way of approving"))
        }
    }
}
