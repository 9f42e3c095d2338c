import CommandLineTool
import Cryptography
import StrictJSON

extension FilePath {
    /// A token's characters without the line break at the end of the file.
    func token() throws(CommandFailure) -> [UInt8] {
        var bytes = try contents(atMost: TokenLimit.byteCount)
        while let last = bytes.last, "\r\n".utf8.contains(last) { bytes.removeLast() }
        return bytes
    }
}

enum TokenLimit {
    static let byteCount = 1 << 20
}

extension Output {
    /// Prints the content of a token: as it is for a person, with `facts` about it for a program.
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
            // A file's last line break is not printed twice.
            return try print(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        }
        let bytes =
            text.map { ("text", $0) }
            ?? ("base64url", TextEncoding.base64URL.encode(content))
        let members = (facts + [bytes]).map { JSONValue.Member(name: $0, value: .string($1)) }
        try print(json: .object(members))
    }
}
