import Foundation
import OneTimePassword
import Testing

@Suite struct `The page on one-time passwords` {
    @Test func `shows code that runs`() throws {
        // From here
        let secret = try Secret.random()
        let hotp = try HOTP(secret: secret, digits: .eight)
        let code = hotp.code(at: Counter(7))

        switch hotp.verify(code, from: Counter(5)) {
        case .accepted(let next): print("right; the next counter is \(next)")
        case .rejected, .counterExhausted: print("wrong")
        }
        // to here.

        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { $0.hasSuffix("// From here") })
        let last = try #require(lines.firstIndex { $0.hasSuffix("// to here.") })
        let example = lines[(first + 1)..<last].map { $0.dropFirst(8) }.joined(separator: "\n")
        let folder = URL(filePath: #filePath).appending(path: "../../..").standardized
        let page = folder.appending(path: "docs/integrate/one-time-passwords.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains(example))
    }
}
