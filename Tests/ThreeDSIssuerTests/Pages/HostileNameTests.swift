import TestSupport
import Testing
import ThreeDSIssuer
import ThreeDSProtocol
import Transactions

@Suite struct `SEC-89: hostile texts of a shop` {
    private static let count = 10_000

    /// Names as the ACS shows them.
    private var names: [DisplayText] {
        let shown = HostileText(seed: 89).lazy.compactMap { text in
            // A name that the display rules refuse is in no page: `try?`.
            try? DisplayText(visible(text.normalized))
        }
        let limit = Transaction.Payee.maximumNameLength
        return Array(shown.filter { $0.count <= limit }.prefix(Self.count))
    }

    @Test func `leave the elements of the page as they are`() throws {
        let context = try SamplePage.context()
        let pages = try names.map { try SamplePage.waiting(shop: $0.text).page(in: context) }
        let read = try ReadPages(pages, textOf: "bdi")
        #expect(read.shapes.count == 1)
        #expect(read.texts.map { Array($0.utf8) } == names.map { Array($0.text.utf8) })
        #expect(Set(read.texts).count > Self.count / 2)
        #expect(read.texts.count { $0.contains("<script>") } > 100)
    }

    @Test func `SEC-90: are session data that is returned byte for byte`() throws {
        let context = try SamplePage.context()
        // HTML has no zero byte, and a base64url text never has one.
        let texts = Array(HostileText(seed: 90).lazy.filter { !$0.contains("\0") }.prefix(1000))
        let pages = try texts.map { try SamplePage.result(sessionData: $0).page(in: context) }
        let read = try ReadPages(pages, textOf: "threeDSSessionData")
        #expect(read.shapes.count == 1)
        #expect(read.texts.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    }
}
