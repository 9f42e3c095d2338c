package import Cryptography

extension CardReference {
    /// 16 random hexadecimal digits.
    package static func random() throws(CryptographyFailure) -> CardReference {
        let bytes = try randomBytes(count: byteCount)
        return CardReference(checked: TextEncoding.hexadecimal.encode(bytes.span))
    }

    private static let byteCount = 8
}
