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
