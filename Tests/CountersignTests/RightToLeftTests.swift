import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `Right-to-left texts of the bank` {
        @Test func `do not move amounts and account numbers`() throws {
            let person = try Person.activated()
            let id = try #require(
                try person.request(
                    """
                    {"context":"payment","title":"\u{5E9}\u{5DC}\u{5D5}\u{5DD}",
                    "fields":[{"label":"\u{5DE}\u{5E1}","value":"12"}],
                    "amounts":[{"currency":"EUR","minorUnits":4711}],
                    "payees":[{"name":"\u{5D0}\u{5D1}\u{5D2}","account":"DE89370400440532013000"}]}
                    """
                )["id"]
            )
            let title = "\u{2068}\u{5E9}\u{5DC}\u{5D5}\u{5DD}\u{2069}"
            let payee = "\u{2068}\u{5D0}\u{5D1}\u{5D2}\u{2069}"
            let line = "\(title): 47.11 EUR to DE89 3704 0044 0532 0130 00 (\(payee)) ("
            let overview = try person.countersign().output
            #expect(overview.contains(line), "\(overview)")
            let page = try person.countersign("show", id).output
            #expect(page.hasPrefix("\u{5E9}\u{5DC}\u{5D5}\u{5DD}\n  Amount      47.11 EUR\n"))
            #expect(page.contains("\n  To          \(payee)\n  To account  DE89 37"), "\(page)")
            #expect(page.hasSuffix("\n    \u{2068}\u{5DE}\u{5E1}\u{2069}  12\n"), "\(page)")
            let json = try person.countersign("show", id, "--json").output
            #expect(json.contains(#""name":"\#u{5D0}\#u{5D1}\#u{5D2}","account":"DE893704"#))
            let rejected = try person.countersign("reject", id)
            #expect(rejected.output == "rejected \(id): \(title)\n")
        }
    }
}
