import Testing
import TransactionApproval

@Suite struct `Account numbers` {
    @Test(arguments: [
        ("DE89370400440532013000", "DE89 3704 0044 0532 0130 00"),
        ("GB82WEST12345698765432", "GB82 WEST 1234 5698 7654 32"),
        ("NO9386011117947", "NO93 8601 1117 947"),
        ("MT84MALT011000012345MTLCAST001S", "MT84 MALT 0110 0001 2345 MTLC AST0 01S"),
        ("FR1420041010050500013M02606", "FR14 2004 1010 0505 0001 3M02 606"),
        ("12345678", "1234 5678"), ("1", "1"), ("ABC123", "ABC1 23"), ("A1B2", "A1B2"),
    ])
    func `are displayed in full, in groups of four`(_ text: String, _ shown: String) throws {
        #expect(try #require(AccountNumber(text)).formatted == shown)
    }

    @Test(arguments: [
        "", " ", "de89370400440532013000", "DE89 3704 0044 0532 0130 00",
        "DE89370400440532013000 ", "DE-89", "Ä1", "１２３", "12\n", String(repeating: "1", count: 35),
        "DЕ89370400440532013000",
    ])
    func `with characters other than upper-case letters and digits are refused`(_ text: String) {
        #expect(AccountNumber(text) == nil)
    }

    @Test(arguments: ["DE89370400440532013000", "GB82WEST12345698765432", "NO9386011117947"])
    func `that are IBANs with a wrong digit or two swapped characters are refused`(_ text: String) {
        let characters = Array(text)
        for index in characters.indices.dropFirst(2) {
            for digit in "0123456789" where digit != characters[index] {
                var changed = characters
                changed[index] = digit
                #expect(AccountNumber(String(changed)) == nil)
            }
        }
        for index in characters.indices.dropFirst(5)
        where characters[index - 1] != characters[index] {
            var swapped = characters
            swapped.swapAt(index - 1, index)
            #expect(AccountNumber(String(swapped)) == nil)
        }
    }

    @Test func `that are IBANs have one spelling of their check digits`() {
        // 97 more or less gives the same remainder: 02 could be 99, 97 could be 00, 98 could be 01.
        for (right, wrong) in [("02", "99"), ("97", "00"), ("98", "01")] {
            let bodies = (0..<1_000).map(String.init).filter {
                AccountNumber("DE\(right)\($0)") != nil
            }
            #expect(!bodies.isEmpty)
            #expect(bodies.allSatisfy { AccountNumber("DE\(wrong)\($0)") == nil })
        }
    }
}
