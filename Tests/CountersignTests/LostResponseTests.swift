import ProgramTesting
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import CommandLineTool
@testable import countersign

extension `The built program` {
    @Suite struct `A lost response` {
        private static let offline = ["no_proxy": "", "https_proxy": "http://127.0.0.1:1"]

        @Test func `to an activation: the same command reports the account that became active`()
            async throws
        {
            let person = try Person()
            let (id, code) = try person.newActivation()
            try await person.activateWithoutResponse(id, code)
            let account = "bank/main/\(person.account)"
            let run = try person.run("activate", id, typing: code, Person.pin)
            #expect(run.exitCode == 0, "\(run.errorOutput)")
            #expect(run.output == "activated \(account)\n")
            // Nothing was unfinished any longer.
            let again = try person.run("activate", id, typing: code, Person.pin)
            #expect(again.exitCode == 1)
            #expect(again.errorOutput.hasPrefix("countersign: the bank does not accept this"))
            #expect(try person.countersign("accounts").output == account + "\n")
        }

        @Test(arguments: [[], ["accounts"], ["change-pin"]])
        func `to an activation does not look like a machine without an account`(
            _ words: [String]
        ) async throws {
            let person = try Person()
            let (id, code) = try person.newActivation()
            try await person.activateWithoutResponse(id, code)
            let account = "bank/main/\(person.account)"
            let offline = try person.countersign(words, environment: Self.offline)
            #expect(offline.exitCode == 69)
            let event = "countersign: \(account): the bank has not confirmed the activation of this"
            #expect(offline.errorOutput.hasPrefix(event), "\(offline)")
            #expect(offline.errorOutput.contains("\nhint: check the network; "), "\(offline)")
            let found = try person.countersign(words)
            switch words.first {
            case nil: #expect(found.output.hasPrefix("Nothing is waiting"), "\(found)")
            case "accounts": #expect(found.output == account + "\n", "\(found)")
            default: #expect(found.errorOutput.contains("there is no terminal"), "\(found)")
            }
        }

        @Test func `to a PIN change is followed by the same new PIN only`() async throws {
            let person = try Person.activated()
            let (first, second) = (person.account, person.account + "-2")
            let backend = try person.bank.newAccount(second, at: "bank")
            let issued = try backend.post("/activations")
            let (id, code) = (try #require(issued["id"]), try #require(issued["code"]))
            #expect(try person.run("activate", id, typing: code, Person.pin).exitCode == 0)
            try await person.changePINWithoutResponse(to: "840173")
            let other = try person.run("change-pin", typing: Person.pin, "555112")
            #expect(other.exitCode == 1)
            #expect(
                other.errorOutput == """
                    countersign: bank/main/\(first) already has another new PIN (4 attempts left)
                    hint: run countersign change-pin again, with the PIN of bank/main/\(first) as \
                    the new PIN

                    """
            )
            #expect(other.output.isEmpty)
            let same = try person.run("change-pin", typing: Person.pin, "840173")
            #expect(same.output == "changed bank/main/\(second)\n", "\(same.errorOutput)")
        }

        @Test func `to an operation that decides nothing has the same command as its hint`() {
            for error in [
                AuthenticationError(.responseMissing), AuthenticationError(.serverUnavailable),
            ] {
                for failure in [
                    CommandFailure(ofRepeatable: error), CommandFailure(error, provesWrong: .pin),
                ] {
                    #expect(failure.exitCode == .unknownResult)
                    #expect(failure.hint == "run the same command again")
                }
            }
            let untrusted = AuthenticationError(.response, cause: "")
            #expect(CommandFailure(ofRepeatable: untrusted) == CommandFailure(untrusted))
        }
    }
}
