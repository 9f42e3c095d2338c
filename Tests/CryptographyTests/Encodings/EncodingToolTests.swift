import TestSupport
import Testing

@testable import Cryptography

@Suite struct `Text encodings agree with the system's tools` {
    private static let counts = [0, 1, 2, 3, 4, 5, 31, 32, 33, 64, 1000, 4099]

    @Test(arguments: counts) func `for random bytes`(count: Int) throws {
        let bytes = try randomBytes(count: count)
        let base64 = try run("base64 -w0", bytes)
        #expect(TextEncoding.base64.encode(bytes.span) == base64)
        #expect(try TextEncoding.base64.decode(base64) == bytes)
        #expect(TextEncoding.base32.encode(bytes.span) == (try run("base32 -w0", bytes)))
        let hexadecimal = try run("basenc --base16 -w0", bytes)
        #expect(TextEncoding.hexadecimal.encode(bytes.span) == hexadecimal.lowercased())
        #expect(try TextEncoding.hexadecimal.decode(hexadecimal) == bytes)
        let base64URL = try run("basenc --base64url -w0", bytes).filter { $0 != "=" }
        #expect(TextEncoding.base64URL.encode(bytes.span) == base64URL)
        #expect(try TextEncoding.base64URL.decode(base64URL) == bytes)
    }

    /// The output of `tool` for `input`.
    private func run(_ tool: String, _ input: [UInt8]) throws -> String {
        let words = tool.split(separator: " ").map(String.init)
        let process = try FinishedProcess.run(words[0], Array(words.dropFirst()), input: input)
        try #require(process.exitCode == 0)
        return process.output
    }
}
