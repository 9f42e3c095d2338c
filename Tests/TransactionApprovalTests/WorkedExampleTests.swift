import Foundation
import Testing

@Suite struct `The worked example` {
    /// `WRITE_WORKED_EXAMPLE=1` writes the page after a change of the protocol.
    @Test func `has the bytes that the code computes`() throws {
        let file = `The protocol pages`.folder.appending(path: "worked-example.md")
        let isWriting = ProcessInfo.processInfo.environment["WRITE_WORKED_EXAMPLE"] == "1"
        let page = isWriting ? "" : try String(contentsOf: file, encoding: .utf8)
        let example = try WorkedExample(page: page, signsAnew: isWriting)
        try example.compute()
        let text = example.text.dropLast()
        if isWriting { try Data(text.utf8).write(to: file) }
        #expect(isWriting || page == text)
    }
}
