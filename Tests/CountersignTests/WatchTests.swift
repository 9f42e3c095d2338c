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

        private static let keys = "y = approve, n = reject, l = decide later, q = quit\r\n"

        @Test func `shows requests one by one and prompts for each decision`() throws {
            let session = try person.onTerminal("watch", environment: ["NO_COLOR": "1"])
            try session.wait(for: "Waiting for requests. Press Ctrl-C to end.\r\n")
            let first = try person.newPayment()
            try session.wait(for: "ID          \(first)")
            try session.wait(for: "Approve 47.11 EUR to DE89 3704 0044 0532 0130 00 (Grocer)?\r\n")
            try session.wait(for: Self.keys)
            try session.wait(for: "s left): ", typing: "x\n")
            try session.wait(for: "Type y, n, l or q, and press Return.\r\n")
            try session.wait(for: "s left): ", typing: "nx\u{8}\u{15}Y\n")
            try session.wait(for: "PIN: ", typing: "271906\n")
            try session.wait(for: "The PIN is wrong. 4 attempts are left.")
            // An undecided request stays pending, and the next one is shown.
            try session.wait(for: "PIN: ", typing: "\u{4}")
            try session.wait(for: "the input ended")
            try session.wait(for: "countersign reject \(first)\r\n")
            let second = try person.newPayment()
            try session.wait(for: "ID          \(second)")
            try session.wait(for: "s left): ", typing: "approve\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "approved \(second): Transfer")
            let third = try person.newPayment()
            try session.wait(for: "ID          \(third)")
            try session.wait(for: "s left): ", typing: "n\n")
            try session.wait(for: "rejected \(third): Transfer")
            try session.wait(for: "Waiting for requests.", typing: "\u{3}")
            #expect(try session.end() == 130)
            let states = try [first, second, third].map { try person.state(of: $0) }
            #expect(states == ["pending", "approved", "rejected"])
        }

        @Test func `counts the time left down, and ends with q`() throws {
            let id = try person.newPayment()
            let session = try person.onTerminal("watch")
            for _ in 1...3 { try session.wait(for: "s left): \u{1B}[K") }
            let times = session.screen.matches(of: /decision \((\d+) s left/).compactMap {
                Int($0.1)
            }
            #expect(times.count >= 3 && times[2] < times[0], "\(times)")
            try session.wait(for: "s left): ", typing: "q\n")
            #expect(try session.end() == 0)
            #expect(try person.state(of: id) == "pending")
        }

        @Test func `draws only the end of a line that is too long for the screen`() throws {
            let id = try person.newPayment()
            let session = try person.onTerminal(["watch"], columns: 40)
            let typed = "abcdefghijklmnopqrstuvwxyz"
            try session.wait(for: "s left): ", typing: typed)
            try session.wait(for: "uvwxyz\u{1B}[K")
            try session.wait(for: "uvwxyz\u{1B}[K", typing: "\u{15}q\n")
            #expect(try session.end() == 0)
            let drawings = session.screen.matches(of: /\r([^\r\n]*)\u{1B}\[K/).map { $0.1 }
            #expect(drawings.count > typed.count && drawings.allSatisfy { $0.count < 40 })
            #expect(try person.state(of: id) == "pending")
        }

        @Test func `withdraws a request that ended elsewhere, and goes on`() throws {
            let session = try person.onTerminal("watch")
            let first = try person.newPayment()
            try session.wait(for: "ID          \(first)")
            try session.wait(for: "s left): ")
            let withdrawn = try person.backend.put("/transactions/\(first)/withdrawal")
            #expect(withdrawn.status < 300, "\(withdrawn.body)")
            try session.wait(for: "The bank withdrew this request.\r\n")
            try session.wait(for: "Waiting for requests.")
            let second = try person.newPayment()
            try session.wait(for: "ID          \(second)")
            try session.wait(for: "s left): ")
            #expect(try person.countersign("reject", second).exitCode == 0)
            try session.wait(for: "This request was rejected before.\r\n")
            try session.wait(for: "Waiting for requests.", typing: "\u{3}")
            #expect(try session.end() == 130)
        }

        @Test func `names a request that ended before it was shown, once`() throws {
            let session = try person.onTerminal("watch")
            let first = try person.newPayment()
            try session.wait(for: "ID          \(first)")
            try session.wait(for: "s left): ")
            let second = try person.newPayment()
            let withdrawn = try person.backend.put("/transactions/\(second)/withdrawal")
            #expect(withdrawn.status < 300, "\(withdrawn.body)")
            let third = try person.newPayment()
            try session.wait(for: "s left): ", typing: "n\n")
            try session.wait(for: "rejected \(first): Transfer")
            try session.wait(for: "request \(second): the bank withdrew this request\r\n")
            try session.wait(for: "ID          \(third)")
            try session.wait(for: "s left): ", typing: "q\n")
            #expect(try session.end() == 0)
            #expect(session.screen.ranges(of: "withdrew").count == 1, "\(session.screen)")
        }

        @Test func `responds to keys while the bank does not respond`() throws {
            let person = try Person.activated(of: try Bank())
            let session = try person.onTerminal("watch")
            _ = try person.newPayment()
            try session.wait(for: "s left): \u{1B}[K")
            try person.bank.signal(SIGSTOP)
            defer { try? person.bank.signal(SIGCONT) }
            // Long enough for a check of the request to begin.
            for _ in 1...9 { try session.wait(for: "s left): \u{1B}[K") }
            let times = session.screen.matches(of: /decision \((\d+) s left/).compactMap {
                Int($0.1)
            }
            let gaps = zip(times, times.dropFirst()).map { $0 - $1 }
            // A check without a response ends after 30 seconds.
            #expect(gaps.allSatisfy { $0 <= 10 }, "\(times)")
            try session.wait(for: "s left): ", typing: "q\n")
            #expect(try session.end() == 0)
        }

        @Test func `reports that the connection is lost, and that it is back`() throws {
            let person = try Person.activated(of: try Bank())
            let session = try person.onTerminal("watch")
            let first = try person.newPayment()
            try session.wait(for: "ID          \(first)")
            try session.wait(for: "s left): ", typing: "l\n")
            try session.wait(for: "Waiting for requests.")
            try person.bank.restart {
                try session.wait(for: "There is no connection to the bank. Trying again.\r\n")
            }
            try session.wait(for: "The connection to the bank is back.\r\n")
            // The new connection announces what is still pending.
            try session.wait(for: "ID          \(first)")
            try session.wait(for: "s left): ", typing: "q\n")
            #expect(try session.end() == 0)
        }

        /// The connection is renewed while a question is open, so the bank announces all again.
        @Test func `shows a request once, although each connection announces it again`() throws {
            // The first request is pending until the end, which takes more than its usual time.
            let bank = try Bank { premises in
                try premises.setPolicy(#"{"transactionSeconds": 600}"#)
            }
            let person = try Person.activated(of: bank)
            let session = try person.onTerminal("watch")
            func renewConnection() throws {
                try person.bank.restart { try session.wait(for: "There is no connection") }
                try session.wait(for: "The connection to the bank is back.\r\n")
                for _ in 1...2 { try session.wait(for: "s left): ") }
            }
            let first = try person.newPayment()
            try session.wait(for: "ID          \(first)")
            try session.wait(for: "s left): ")
            for _ in 1...2 { try renewConnection() }
            try session.wait(for: "s left): ", typing: "l\n")
            try session.wait(for: "countersign reject \(first)\r\n")
            try session.wait(for: "Waiting for requests.")
            let second = try person.newPayment()
            try session.wait(for: "ID          \(second)")
            #expect(session.screen.ranges(of: "ID          \(first)").count == 1)
            try session.wait(for: "s left): ")
            for _ in 1...2 { try renewConnection() }
            try session.wait(for: "s left): ", typing: "y\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "approved \(second): Transfer")
            // These connections announced the first request after it was left for later.
            try session.wait(for: "ID          \(first)")
            try session.wait(for: "s left): ", typing: "n\n")
            try session.wait(for: "rejected \(first): Transfer")
            let third = try person.newPayment()
            try session.wait(for: "ID          \(third)")
            try session.wait(for: "s left): ", typing: "q\n")
            #expect(try session.end() == 0)
            #expect(session.screen.ranges(of: "ID          \(second)").count == 1)
            #expect(!session.screen.contains("decided before"), "\(session.screen)")
        }

        @Test func `prints each request once in JSON`() throws {
            let person = try Person.activated(of: try Bank())
            let session = try person.onTerminalOfShell("watch --json </dev/null", then: "true")
            let first = try person.newPayment()
            try session.wait(for: #"{"id":"\#(first)""#)
            try person.bank.restart { try session.wait(for: "There is no connection") }
            try session.wait(for: "The connection to the bank is back.")
            let second = try person.newPayment()
            try session.wait(for: #"{"id":"\#(second)""#, typing: "\u{3}")
            _ = try session.end()
            #expect(session.screen.ranges(of: #"{"id":"\#(first)""#).count == 1)
        }

        @Test func `names an account whose device was revoked, and goes on`() throws {
            let person = try Person.activated()
            let second = person.account + "-2"
            let backend = try person.bank.newAccount(second, at: "bank")
            let issued = try backend.post("/activations")
            let (id, code) = (try #require(issued["id"]), try #require(issued["code"]))
            #expect(try person.run("activate", id, typing: code, Person.pin).exitCode == 0)
            let session = try person.onTerminal("watch")
            let first = try person.newPayment()
            try session.wait(for: "ID          \(first)")
            try session.wait(for: "s left): ")
            try backend.revokeDevice(showing: try person.serviceToken())
            try session.wait(for: "Requests of bank/main/\(second) are no longer shown. The bank ")
            try session.wait(for: "set it up again with a new activation code.\r\n")
            try session.wait(for: "s left): ", typing: "n\n")
            try session.wait(for: "rejected \(first): Transfer")
            try session.wait(for: "Waiting for requests.", typing: "\u{3}")
            #expect(try session.end() == 130)
        }

        @Test func `ends with one remedy after the only device was revoked`() throws {
            let person = try Person.activated()
            let session = try person.onTerminal("watch")
            try session.wait(for: "Waiting for requests.")
            try person.backend.revokeDevice(showing: try person.serviceToken())
            try session.wait(for: "countersign: no account is left whose requests can be shown")
            #expect(try session.end() == 77)
            #expect(session.screen.ranges(of: "with a new activation code").count == 1)
        }

        @Test func `prompts again after the person ended the input once`() throws {
            let person = try Person.activated(at: "careful")
            func newLogin() throws -> (id: String, number: String) {
                let created = try person.request(#"{"context":"login","title":"Log in"}"#)
                return (try #require(created["id"]), try #require(created["number"]))
            }
            let session = try person.onTerminal("watch")
            let first = try newLogin()
            try session.wait(for: "s left): ", typing: "y\n")
            try session.wait(for: "that the bank shows: ", typing: "\u{4}")
            try session.wait(for: "countersign reject \(first.id)\r\n")
            let second = try newLogin()
            try session.wait(for: "ID         \(second.id)")
            try session.wait(for: "s left): ", typing: "y\n")
            try session.wait(for: "that the bank shows: ", typing: second.number + "\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "approved \(second.id): Log in")
            try session.wait(for: "Waiting for requests.", typing: "\u{3}")
            #expect(try session.end() == 130)
        }

        @Test func `ends if the machine has no account left`() throws {
            let session = try person.onTerminal("watch")
            let id = try person.newPayment()
            try session.wait(for: id)
            try session.wait(for: "s left): ", typing: "later\n")
            let account = "bank/main/\(person.account)"
            #expect(try person.countersign("remove", account, "--yes").exitCode == 0)
            #expect(try session.end() == 66)
        }
    }
}
