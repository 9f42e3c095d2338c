import CommandLineTool
import Cryptography
import StrictJSON

enum TokenLimit {
    static let contentByteCount = 1 << 20
    /// A token is a third longer than its content, and has a header.
    static let byteCount = 2 << 20
}

extension FilePath {
    /// The bytes to seal or to sign.
    func content() throws(CommandFailure) -> [UInt8] {
        try contents(atMost: TokenLimit.contentByteCount)
    }

    /// A token's characters without the line break at the end of the file.
    func token() throws(CommandFailure) -> [UInt8] {
        var bytes = try contents(atMost: TokenLimit.byteCount)
        while let last = bytes.last, "\r\n".utf8.contains(last) { bytes.removeLast() }
        return bytes
    }
}

extension Output {
    /// Prints the content of a token, with `facts` about it for a program.
    ///
    /// A file or a pipe gets exactly the content. Only a screen gets escapes and a line break.
    func print(
        content: Span<UInt8>,
        of facts: [(String, String)],
        inJSON: Bool
    ) throws(CommandFailure) {
        let text = String(validating: content.array, as: UTF8.self)
        guard inJSON else {
            guard let text else {
                throw CommandFailure(.malformedInput, "the content is not text")
                    .suggesting("repeat the command with --json, which prints base64url")
            }
            return try isScreen ? print(text) : write(text)
        }
        // A text with U+0000 cannot be written as JSON.
        let bytes =
            text.flatMap { $0.utf8.contains(0) ? nil : ("text", $0) }
            ?? ("base64url", TextEncoding.base64URL.encode(content))
        let members = (facts + [bytes]).map { JSONValue.Member(name: $0, value: .string($1)) }
        try print(json: .object(members))
    }
}
