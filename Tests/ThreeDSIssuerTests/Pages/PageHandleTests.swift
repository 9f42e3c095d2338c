import Testing

@testable import ThreeDSIssuer

@Suite struct `The handle of a challenge` {
    @Test(arguments: [SamplePage.handle, "AAAAAAAAAAAAAAAAAAAAAA", "-_-_-_-_-_-_-_-_-_-_-Q"])
    func `SEC-88: is 16 bytes as base64url, and so is a nonce`(_ text: String) {
        #expect(PageHandle(text)?.text == text)
        #expect(PageNonce(text) != nil)
    }

    @Test func `SEC-88: has 128 random bits`() throws {
        let handles = try (0..<500).map { _ in Array(try PageHandle.random().text) }
        // Nine of 64 characters are missing with a chance below 10^-20. The last one has two bits.
        for place in 0..<21 { #expect(Set(handles.map { $0[place] }).count > 55) }
        #expect(Set(handles.map { $0[21] }).count == 4)
        let repeated = (1..<21).filter { place in
            (0..<place).contains { other in handles.allSatisfy { $0[place] == $0[other] } }
        }
        #expect(repeated == [])
    }

    @Test(arguments: [
        "", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAA+/",
        "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAA\"A", "..", "AAAAAAAAAAAAAAAAAAAAAA==",
    ])
    func `SEC-88: is not another text`(_ text: String) {
        #expect(PageHandle(text) == nil)
        #expect(PageNonce(text) == nil)
    }
}
