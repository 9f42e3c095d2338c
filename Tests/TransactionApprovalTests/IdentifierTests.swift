import Testing
import TransactionApproval

@Suite struct `Identifiers` {
    @Test(arguments: ["a", "Z9", "acc-1", "main.current_2", String(repeating: "x", count: 64)])
    func `of letters, digits, dots, underscores and dashes are accepted`(_ text: String) throws {
        #expect(try #require(AccountID(text)).description == text)
    }

    @Test(arguments: [
        "", String(repeating: "x", count: 65), "a b", " a", "a\n", "a/b", "a%20", "ä", "а", "a\0",
        "a:b",
        "e\u{301}", "'", "a;b", "１",
    ])
    func `of anything else are refused`(_ text: String) {
        #expect(AccountID(text) == nil)
    }

    @Test func `of random bytes have one spelling`() throws {
        let id = try DeviceID.random()
        #expect(DeviceID(id.description) == id)
        #expect(try DeviceID.random() != id)
        let text = "00112233445566778899aabbccddeeff"
        #expect(DeviceID(text)?.description == text)
        for wrong in [text.uppercased(), String(text.dropLast()), text + "00", "", text + " "] {
            #expect(DeviceID(wrong) == nil)
        }
    }
}
