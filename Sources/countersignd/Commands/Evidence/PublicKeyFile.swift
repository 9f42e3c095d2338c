import CommandLineTool
import Cryptography

/// The PEM form of a public key (RFC 7468, section 13).
enum PublicKeyFile {
    private static let header = "-----BEGIN PUBLIC KEY-----"
    private static let footer = "-----END PUBLIC KEY-----"
    private static let lineLength = 64
    private static let maximumByteCount = 4 << 10

    static func text(of key: P256.PublicKey) -> String {
        var rest = Substring(TextEncoding.base64.encode(key.subjectPublicKeyInfo.span))
        var lines = [header]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(lineLength)))
            rest = rest.dropFirst(lineLength)
        }
        return (lines + [footer, ""]).joined(separator: "\n")
    }

    static func key(in file: FilePath) throws(CommandFailure) -> P256.PublicKey {
        let bytes = try file.contents(atMost: maximumByteCount)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        // `try?`: the file has no such key, whatever is wrong with it.
        guard
            lines.count > 2, lines.first == header[...], lines.last == footer[...],
            let encoded = try? TextEncoding.base64.decode(lines[1..<(lines.count - 1)].joined()),
            let key = try? P256.PublicKey(subjectPublicKeyInfo: encoded.span)
        else {
            throw CommandFailure(
                .malformedInput,
                "\(file.shownName) does not contain a P-256 public key in PEM",
                hint: "countersignd evidence key prints the key of a verifier"
            )
        }
        return key
    }
}
