import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `countersign accounts --changes` {
        @Test func `prints what the bank changed since the activation`() throws {
            let person = try Person.activated()
            let none = try person.countersign("accounts", "--changes")
            #expect(none.exitCode == 0, "\(none.errorOutput)")
            let sentence = "Neither the bank nor another device has changed your accounts.\n"
            #expect(none.output == sentence)
            _ = try person.newActivation()
            let account = "bank/main/\(person.account)"
            let line = " s ago: The bank issued an activation code for \(account).\n"
            #expect(try person.countersign("accounts", "--changes").output.hasSuffix(line))
            let json = try person.countersign("accounts", "--changes", "--json").output
            #expect(json.contains(#""kind":"activationIssued","moment":"#), "\(json)")
        }

        @Test func `prints the changes of one account, and fails for one that the bank revoked`()
            throws
        {
            let person = try Person.activated()
            let (first, second) = (person.account, person.account + "-2")
            let backend = try person.bank.newAccount(second, at: "bank")
            let issued = try backend.post("/activations")
            let (id, code) = (try #require(issued["id"]), try #require(issued["code"]))
            #expect(try person.run("activate", id, typing: code, Person.pin).exitCode == 0)
            _ = try person.newActivation()
            try backend.revokeDevice(showing: try person.serviceToken())
            let run = try person.countersign("accounts", "--changes")
            #expect(run.exitCode == 77)
            let line = "The bank issued an activation code for bank/main/\(first).\n"
            #expect(run.output.hasSuffix(line), "\(run.output)")
            let failure = "cannot list the changes of bank/main/\(second): the bank no longer"
            #expect(run.errorOutput.contains(failure), "\(run.errorOutput)")
            let json = try person.countersign("accounts", "--changes", "--json")
            #expect(json.exitCode == 77)
            #expect(json.output.contains(#""kind":"activationIssued""#))
        }

        @Test func `watch reports a change when it happens`() throws {
            let person = try Person.activated()
            let session = try person.onTerminal("watch")
            try session.wait(for: "Waiting for requests.")
            _ = try person.newActivation()
            try session.wait(for: "ago: The bank issued an activation code for bank/main/")
            try session.wait(for: "call your bank at once.", typing: "\u{3}")
            #expect(try session.end() == 130)
        }
    }
}
