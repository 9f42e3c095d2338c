import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import CommandLineTool
@testable import countersign

extension `The built program` {
    @Suite struct `The prompt for a PIN` {
        private let person: Person

        init() throws {
            person = try Person.activated()
        }

        private static let wayOut = " Try again, or press Ctrl-C to leave.\r\n"

        @Test func `is repeated a few times for a PIN that cannot be right`() throws {
            let session = try person.onTerminal("login")
            try session.wait(for: "PIN: ", typing: "271\n")
            try session.wait(for: "The PIN is too short." + Self.wayOut)
            try session.wait(for: "PIN: ", typing: "27190x\n")
            try session.wait(for: "The PIN contains characters that are not digits.")
            try session.wait(for: "PIN: ", typing: "\n")
            try session.wait(for: "The PIN is empty." + Self.wayOut)
            try session.wait(for: "PIN: ", typing: "27\u{3}")
            #expect(try session.end() == 130)
            #expect(session.screen.hasSuffix("PIN: \r\ncountersign: interrupted\r\n"))
            // None of them was an attempt.
            let wrong = try person.run("login", typing: "271906")
            #expect(wrong.errorOutput.contains("the PIN is wrong (4 attempts left)\n"))
            let stubborn = try person.onTerminal("login")
            for _ in 1...5 { try stubborn.wait(for: "PIN: ", typing: "271\n") }
            try stubborn.wait(for: "countersign: the PIN is too short\r\n")
            #expect(try stubborn.end() == 1)
        }

        @Test func `explains the lock before the last attempt`() throws {
            for _ in 1...3 { _ = try person.run("login", typing: "271906") }
            let session = try person.onTerminal("login")
            try session.wait(for: "PIN: ", typing: "271906\n")
            try session.wait(for: "Ctrl-C to leave.\r\n")
            let text = session.screen.replacing("\r\n", with: " ").replacing(/\ +/, with: " ")
            for sentence in [
                "The PIN is wrong. One attempt is left.",
                "Another failure locks the PIN for at least 30 minutes, or permanently.",
                "The bank can end a temporary lock.",
                "After a permanent lock, you need a new activation.",
                "Try again, or press Ctrl-C to leave.",
            ] {
                #expect(text.contains(sentence), "\(text)")
            }
            try session.wait(for: "PIN: ", typing: "271906\n")
            try session.wait(for: "countersign: the PIN is locked after too many failures (for ")
            #expect(try session.end() == 77)
        }

        @Test func `names what another failure locks, which is the PIN only if it was typed`() {
            let pin = "nother failure locks the PIN for at least 30 minutes, or permanently"
            let other = """
                nother failure locks this authentication method for at least 30 minutes, or the \
                device permanently
                """
            for (type, hasNumber, lock) in [
                (AuthenticationType.userPIN, false, pin), (.userPIN, true, pin),
                (.consent, true, other), (.consent, false, other), (.biometric, false, other),
            ] {
                let input = WrongInput(type, withNumber: hasNumber)
                #expect(input.hint(attemptsLeft: 1) == "a" + lock)
                #expect(input.sentence(attemptsLeft: 1).contains("A" + lock + ". The bank can"))
                #expect(input.hint(attemptsLeft: 2) != "a" + lock)
                #expect(input.sentence(attemptsLeft: 2) == "2 attempts are left.")
            }
        }

        @Test func `names the number as a possible cause if it was typed too`() throws {
            let person = try Person.activated(at: "careful")
            let created = try person.request(#"{"context":"login","title":"Log in"}"#)
            let number = try #require(created["number"])
            let session = try person.onTerminal("approve")
            try session.wait(for: #"Approve "Log in"? (yes/no) "#, typing: "yes\n")
            try session.wait(for: "that the bank shows: ", typing: number + "\n")
            try session.wait(for: "PIN: ", typing: "271906\n")
            try session.wait(for: "The PIN or the number is wrong. 4 attempts are left.")
            try session.wait(for: "that the bank shows: ", typing: number + "\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            #expect(try session.end() == 0)
        }

        /// Otherwise the attempts would be used up without the person.
        @Test(arguments: [AuthenticationType.consent, .biometric])
        func `is replaced by a question if an attempt without input failed`(
            _ type: AuthenticationType
        ) throws {
            #expect(try offered(after: type, typing: "yes") == [type])
            #expect(throws: CommandFailure.self) { try offered(after: type, typing: "no") }
            #expect(try offered(after: .userPIN, typing: nil) == [.userPIN])
            #expect(try offered(after: .consent, hasNumber: true, typing: nil) == [.consent])
        }

        private func offered(
            after type: AuthenticationType,
            hasNumber: Bool = false,
            typing line: String?
        ) throws -> [AuthenticationType] {
            let terminal = Terminal(
                output: Output { _ in },
                messages: Output { _ in },
                isWatched: true,
                typedLine: { line }
            )
            let secrets = SecretSource(descriptor: nil, terminal: terminal, askpass: nil)
            var error = AuthenticationError(.authenticationFailed)
            error.attemptsLeft = 3
            return try Authentication(secrets: secrets, hasNumber: hasNumber)
                .offer(after: error, of: type)
        }

        @Test func `breaks messages at words, for the width of the screen only`() throws {
            let program = BuiltProducts.path(of: "countersign")
            let session = try person.onTerminalOfShell(
                "--version; stty cols 30; \(program) login",
                then: "true"
            )
            try session.wait(for: "PIN: ", typing: "271\n")
            try session.wait(
                for: "The PIN is too short. Try\r\n  again, or press Ctrl-C to\r\n  leave.\r\n"
            )
            try session.wait(for: "PIN: ", typing: "\u{3}")
            _ = try session.end()
            let piped = try person.run("activate", "0000000", typing: "1")
            #expect(piped.errorOutput.split(separator: "\n").count == 2)
        }
    }
}
