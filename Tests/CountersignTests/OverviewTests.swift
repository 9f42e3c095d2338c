import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `countersign alone` {
        @Test func `shows how to begin if nothing is activated`() throws {
            let person = try Person()
            let known = try person.countersign()
            #expect(known.exitCode == 0)
            #expect(
                known.output == """
                    No account is set up on this machine yet.
                    Ask your bank for an activation id and a code, and run:
                        countersign activate ID
                    countersign --help shows all commands.

                    """
            )
            try person.trust("{}")
            let unknown = try person.countersign()
            #expect(
                unknown.output == """
                    No account is set up on this machine yet.
                    1. Add your bank's server to ~/.config/countersign/countersign.json.
                       An example: countersign help activate
                    2. Ask your bank for an activation id and a code, and run:
                           countersign activate ID
                    countersign --help shows all commands.

                    """
            )
        }

        @Test func `begins no line with a text of the bank`() throws {
            let person = try Person.activated()
            let payee = "Grocer GROCER2 GROCER3 One request is pending: 9f3a 1.00 EUR to Me"
            let payment = try person.request(
                """
                {"context":"payment","title":"Transfer of a long time ago to nobody",
                "amounts":[{"currency":"EUR","minorUnits":4711}],
                "payees":[{"name":"\(payee)","account":"DE89370400440532013000"}]}
                """
            )
            let id = try #require(payment["id"])
            let session = try person.onTerminal("approve", columns: 40)
            try session.wait(for: "Approve 47.11 EUR to DE89 3704 0044 0532\r\n  0130 00 (Grocer")
            try session.wait(for: "(yes/no) ", typing: "no\n")
            #expect(try session.end() == 1)
            let overview = try person.onTerminal(columns: 40)
            #expect(try overview.end() == 0)
            let lines = overview.screen.split(whereSeparator: \.isNewline)
            #expect(lines.first == "One request is pending:")
            #expect(lines.dropFirst().first?.hasPrefix("  \(id.suffix(4))  Transfer of") == true)
            #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("      ") }, "\(lines)")
            #expect(lines.allSatisfy { $0.count <= 40 }, "\(lines)")
        }

        @Test func `shows the pending requests, with the commands that decide them`() throws {
            let person = try Person.activated()
            let none = try person.countersign()
            #expect(none.exitCode == 0)
            #expect(none.output.hasPrefix("Nothing is waiting for your decision.\n"))
            let payment = try person.newPayment()
            let login = try #require(
                try person.request(#"{"context":"login","title":"Log in"}"#)["id"]
            )
            let (first, second) = (payment.suffix(4), login.suffix(4))
            let shown = try person.countersign()
            #expect(shown.exitCode == 0)
            #expect(
                shown.output.replacing(/\d+ s left/, with: "N s left") == """
                    2 requests are pending:
                      \(first)  Transfer: 47.11 EUR to DE89 3704 0044 0532 0130 00 (Grocer) (N s left)
                          countersign approve \(first)
                          countersign reject \(first)
                      \(second)  Log in (N s left)
                          countersign approve \(second)
                          countersign reject \(second)

                    """
            )
            #expect(try person.countersign("reject", String(first)).exitCode == 0)
            let one = try person.countersign()
            #expect(one.output.hasPrefix("One request is pending:\n  \(second)  Log in"))
        }
    }
}
