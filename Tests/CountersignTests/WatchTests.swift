import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `countersign watch` {
        private let person: Person

        init() throws {
            person = try Person.activated()
        }

        @Test func `shows requests one by one and prompts for each decision`() throws {
            let first = try person.newPayment()
            let session = try person.onTerminal("watch", environment: ["NO_COLOR": "1"])
            try session.wait(for: "ID         \(first)")
            try session.wait(for: "Your decision? (approve/reject/later) ", typing: "approve\n")
            try session.wait(for: "PIN: ", typing: "271906\n")
            try session.wait(for: "attempts left")
            // An undecided request stays pending, and the next one is shown.
            try session.wait(for: "PIN: ", typing: "\u{4}")
            try session.wait(for: "the PIN is empty")
            try session.wait(for: "If it is still pending: countersign approve \(first)")
            let second = try person.newPayment()
            try session.wait(for: "ID         \(second)")
            try session.wait(for: "later) ", typing: "approve\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "approved \(second): Transfer")
            let third = try person.newPayment()
            try session.wait(for: "ID         \(third)")
            try session.wait(for: "later) ", typing: "reject\n")
            try session.wait(for: "rejected \(third): Transfer", typing: "\u{3}")
            #expect(try session.end() == 130)
            let states = try [first, second, third].map { try person.state(of: $0) }
            #expect(states == ["pending", "approved", "rejected"])
        }

        @Test func `ends if the machine has no account left`() throws {
            let session = try person.onTerminal("watch")
            let id = try person.newPayment()
            try session.wait(for: id)
            try session.wait(for: "later) ", typing: "later\n")
            let account = "bank/main/\(person.account)"
            #expect(try person.countersign("remove", account, "--yes").exitCode == 0)
            #expect(try session.end() == 66)
        }
    }
}
