import Testing
import ThreeDSIssuer

@Suite struct `The handle of a challenge` {
    @Test(arguments: [SamplePage.handle, "AAAAAAAAAAAAAAAAAAAAAA", "-_-_-_-_-_-_-_-_-_-_-Q"])
    func `SEC-88: is 16 bytes as base64url, and so is a nonce`(_ text: String) {
        #expect(PageHandle(text)?.text == text)
        #expect(PageNonce(text) != nil)
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
