import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `countersign pending and show` {
        @Test func `exit with 2 if nothing is pending, and with 66 without an account`() throws {
            let person = try Person.activated()
            let pending = try person.countersign("pending", "--json")
            #expect(pending.exitCode == 2)
            #expect(pending.output == "")
            #expect(
                pending.errorOutput == """
                    countersign: nothing is waiting for approval
                    hint: start again where the request was made

                    """
            )
            #expect(try Person().countersign("pending").exitCode == 66)
        }

        @Test func `report an account whose requests are unknown, and list the others`() throws {
            let person = try Person.activated()
            let (first, second) = (person.account, person.account + "-2")
            let backend = try person.bank.newAccount(second, at: "bank")
            let issued = try backend.post("/activations")
            let (activation, code) = (try #require(issued["id"]), try #require(issued["code"]))
            let activated = try person.run("activate", activation, typing: code, Person.pin)
            #expect(activated.exitCode == 0, "\(activated.errorOutput)")
            try backend.revokeDevice(showing: try person.serviceToken())
            let failure = "cannot show all requests of bank/main/\(second): the bank no longer"
            for words in [[], ["pending"], ["show"], ["approve"], ["reject"]] {
                let session = try person.onTerminal(words)
                #expect(try session.end() == 77, "\(words)")
                #expect(session.screen.hasPrefix("countersign: \(failure)"), "\(session.screen)")
            }
            let payment = #"{"context":"action","title":"New address"}"#
            let id = try #require(try person.request(payment)["id"])
            let pending = try person.countersign("pending")
            #expect(pending.exitCode == 77)
            #expect(pending.output.contains(id), "\(pending.output)")
            #expect(pending.errorOutput.contains(failure), "\(pending.errorOutput)")
            let overview = try person.countersign()
            #expect(overview.exitCode == 77)
            #expect(overview.output.contains("countersign approve "), "\(overview.output)")
            #expect(overview.errorOutput.contains(failure))
            // Without an ID, the only request that is known is not taken silently.
            let shown = try person.countersign("show")
            #expect(shown.exitCode == 0 && shown.output.contains("bank/main/\(first)"))
            #expect(shown.errorOutput.contains(failure))
            #expect(try person.countersign("show", id).errorOutput == "")
            // A request that is unknown could be the one to reject.
            let rejected = try person.countersign("reject")
            #expect(rejected.exitCode == 77 && rejected.output == "", "\(rejected.output)")
            let list = "\(id.suffix(4))  New address ("
            #expect(rejected.errorOutput.hasPrefix(list), "\(rejected.errorOutput)")
            #expect(rejected.errorOutput.contains("countersign: \(failure)"))
            #expect(rejected.errorOutput.hasSuffix("\nhint: name the request by its id\n"))
            #expect(try person.state(of: id) == "pending")
            #expect(try person.countersign("reject", id).exitCode == 0)
        }

        @Test func `report the result of a request that is no longer pending`() throws {
            let person = try Person.activated()
            // Another account of the machine does not know the request.
            let backend = try person.bank.newAccount(person.account + "-2", at: "bank")
            let issued = try backend.post("/activations")
            let (activation, code) = (try #require(issued["id"]), try #require(issued["code"]))
            let activated = try person.run("activate", activation, typing: code, Person.pin)
            #expect(activated.exitCode == 0, "\(activated.errorOutput)")
            let ids = try (1...3).map { _ in try person.newPayment() }
            #expect(try person.run("approve", ids[0], "--yes", typing: Person.pin).exitCode == 0)
            #expect(try person.countersign("reject", ids[1]).exitCode == 0)
            let withdrawn = try person.backend.put("/transactions/\(ids[2])/withdrawal")
            #expect(withdrawn.status < 300, "\(withdrawn.body)")
            let results = [
                "this request was approved before\nhint: call the bank if you did not approve it",
                "this request was rejected before\nhint: start again where it was made if",
                "the bank withdrew this request\nhint: start again where it was made\n",
            ]
            for (id, result) in zip(ids, results) {
                for words in [["show", id], ["reject", id], ["approve", id, "--yes"]] {
                    let run = try person.countersign(words)
                    #expect(run.exitCode == 1, "\(words)")
                    #expect(run.output == "")
                    #expect(
                        run.errorOutput.hasPrefix("countersign: \(result)"),
                        "\(run.errorOutput)"
                    )
                }
            }
            let german = try person.countersign(
                ["show", ids[1]],
                environment: ["LC_ALL": "de_DE.UTF-8"]
            )
            let event = "countersign: Dieser Auftrag wurde schon abgelehnt\n"
            #expect(german.errorOutput.hasPrefix(event), "\(german.errorOutput)")
            let unknown = try person.countersign("show", String(ids[0].reversed()))
            #expect(unknown.exitCode == 2)
            #expect(unknown.errorOutput.hasPrefix("countersign: no pending request has this id\n"))
        }

        @Test func `have each value below its name on a narrow screen`() throws {
            let person = try Person.activated()
            let label = "Account holder of the former owner"
            let value = "Amount 1.00 EUR, To Grocer, and many other words"
            _ = try person.request(
                #"{"context":"action","title":"New address","#
                    + #""fields":[{"label":"\#(label)","value":"\#(value)"}]}"#
            )
            let session = try person.onTerminal(["show"], columns: 40)
            #expect(try session.end() == 0)
            let lines = session.screen.replacing("\r\n", with: "\n")
            let field = """
                    \(label)
                        Amount 1.00 EUR, To Grocer, and
                        many other words
                """
            #expect(lines.contains(field), "\(lines)")
        }

        @Test func `show the account first, because a name can have the number of another one`()
            throws
        {
            let person = try Person.activated()
            let name = "Stadtwerke Musterstadt Versorgungs GmbH + Co KG DE02120300000000202051"
            let request = try person.request(
                """
                {"context":"payment","title":"Bill","payees":[{"name":"\(name)",
                "account":"DE89370400440532013000"}],"amounts":[{"currency":"EUR","minorUnits":1}]}
                """
            )
            #expect(request["id"] != nil)
            let session = try person.onTerminal(
                "approve",
                columns: 80,
                environment: ["NO_COLOR": "1"]
            )
            try session.wait(
                for: "Approve 0.01 EUR to DE89 3704 0044 0532 0130 00 (Stadtwerke",
                typing: "no\n"
            )
            let page = session.screen.replacing("\r\n", with: "\n")
            let shown = """
                  To          Stadtwerke Musterstadt Versorgungs GmbH + Co KG
                              DE02120300000000202051
                  To account  DE89 3704 0044 0532 0130 00

                """
            #expect(page.contains(shown), "\(page)")
            #expect(try session.end() == 1)
        }

        @Test func `show a card payment, which is approved at a terminal`() throws {
            let person = try Person.activated()
            let created = try person.request(
                """
                {"context":"payment","title":"Card payment","source":"cards","seconds":60,
                "authentication":["userPIN"],"fields":[{"label":"Card","value":"ending 4242"},
                {"label":"At the shop's clock","value":"2026-11-22 18:05:11 UTC"}],
                "amounts":[{"currency":"EUR","minorUnits":4711}],
                "payees":[{"name":"CoffeeHouse2 (Dæmø)",
                "merchant":"shop 0004445001 of acquirer 271829, Germany"}],
                "reference":"2f37539c-d82e-4929-88db-2f9e72c7fa62"}
                """
            )
            let id = try #require(created["id"])
            let json = try person.countersign("show", "--json").output
            #expect(
                json.contains(
                    """
                    "payees":[{"name":"CoffeeHouse2 (Dæmø)",\
                    "merchant":"shop 0004445001 of acquirer 271829, Germany"}]
                    """
                )
            )
            let session = try person.onTerminal("approve", environment: ["NO_COLOR": "1"])
            try session.wait(
                for: "Approve 47.11 EUR to merchant shop 0004445001 of acquirer 271829, Germany"
            )
            let page = session.screen.replacing("\r\n", with: "\n")
                .replacing(/\d+ s\n/, with: "N s\n")
            let lines = [
                "Card payment", "  Amount     47.11 EUR", "  To         CoffeeHouse2 (Dæmø)",
                "  Merchant   shop 0004445001 of acquirer 271829, Germany", "  Kind       payment",
                "  Account    bank/main/\(person.account)",
                "  Reference  2f37539c-d82e-4929-88db-2f9e72c7fa62", "  Time left  N s",
                "  ID         \(id)", "  Other details from the bank:",
                "    Card                 ending 4242",
                "    At the shop's clock  2026-11-22 18:05:11 UTC",
            ]
            #expect(page.contains(lines.joined(separator: "\n")))
            try session.wait(for: "(yes/no) ", typing: "yes\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "approved \(id): Card payment")
            #expect(try session.end() == 0)
            #expect(try person.state(of: id) == "approved")
        }

        @Test func `show all signed data, as text and in JSON`() throws {
            let person = try Person.activated()
            let id = try person.newPayment()
            let account = "bank/main/\(person.account)"
            let table = try person.countersign("pending").output.split(separator: "\n")
            try #require(table.count == 2)
            #expect(
                table[0].split(separator: " ") == [
                    "ID", "TIME", "LEFT", "ACCOUNT", "AMOUNT", "TITLE",
                ]
            )
            let row = table[1].replacing(/\d+ s +/, with: "N s  ")
            #expect(row == "\(id)  N s  \(account)  47.11 EUR  Transfer")

            let page = try person.countersign("show").output
                .replacing(/\d+ s\n/, with: "N s\n")
            #expect(
                page == """
                    Transfer
                      Amount      47.11 EUR
                      To          Grocer
                      To account  DE89 3704 0044 0532 0130 00
                      Kind        payment

                    """ + """
                          Account     \(account)
                          Reference   R-1
                          Time left   N s
                          ID          \(id)
                          Other details from the bank:
                            Purpose  Apples

                        """
            )
            let json = try person.countersign("pending", "--json").output
            #expect(
                json.replacing(/"deadline":\d{13},/, with: "") == """
                    {"transactions":[{"id":"\(id)","account":{"enterprise":"bank","type":"main",\
                    "id":"\(person.account)"},"context":"payment","title":"Transfer",\
                    "fields":[{"label":"Purpose","value":"Apples"}],\
                    "amounts":[{"currency":"EUR","minorUnits":4711,"formatted":"47.11 EUR"}],\
                    "payees":[{"name":"Grocer","account":"DE89370400440532013000"}],\
                    "reference":"R-1","authentication":["userPIN"]}]}

                    """
            )
            let shown = try person.countersign("show", id, "--json").output
            #expect(json == "{\"transactions\":[\(shown.dropLast())]}\n")
            #expect(try person.countersign("show", id + "x").exitCode == 2)
        }

        @Test
        func `use bold only on a terminal that supports it, and not with NO_COLOR`()
            throws
        {
            let person = try Person.activated()
            _ = try person.newPayment()
            let bold = "\u{1B}[1mTransfer\u{1B}[0m"
            for (environment, isBold) in [
                ([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
            ] {
                let session = try person.onTerminal("show", environment: environment)
                #expect(try session.end() == 0)
                #expect(session.screen.contains(bold) == isBold)
                #expect(session.screen.contains("\u{1B}") == isBold)
            }
        }

        @Test func `list the requests in paragraphs on a screen of 80 columns`() throws {
            let person = try Person.activated()
            let id = try person.newPayment()
            for (columns, isTable) in [(80, false), (200, true)] {
                let session = try person.onTerminal("pending", columns: columns)
                #expect(try session.end() == 0)
                let lines = session.screen.replacing("\r\n", with: "\n").split(separator: "\n")
                #expect(lines.allSatisfy { $0.count <= columns }, "\(session.screen)")
                #expect(lines.contains("ID         \(id)") == !isTable, "\(session.screen)")
                #expect(lines.contains { $0.hasPrefix("\(id)  ") } == isTable)
            }
        }

        @Test func `exit with 69 if the bank is unreachable, and with 76 if its key differs`()
            throws
        {
            let person = try Person.activated()
            let elsewhere = ["no_proxy": "", "https_proxy": "http://127.0.0.1:1"]
            let unreachable = try person.countersign(["pending"], environment: elsewhere)
            #expect(unreachable.exitCode == 69)
            let hint = "hint: check the network and try again\n"
            #expect(unreachable.errorOutput.contains(hint))
            let settings = person.bank.settings
            let pins = try Certificates.shared.get()
            let other = settings.replacing(
                try pins.pinText(.server),
                with: try pins.pinText(.client)
            )
            try person.trust(other)
            #expect(try person.countersign("pending").exitCode == 76)
            try person.trust(settings)
            #expect(try person.countersign("pending").exitCode == 2)
        }
    }
}
