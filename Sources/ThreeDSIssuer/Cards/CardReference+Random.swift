package import Cryptography

extension CardReference {
    /// 16 random hexadecimal digits.
    package static func random() throws(CryptographyFailure) -> CardReference {
        let bytes = try randomBytes(count: byteCount)
        return CardReference(checked: TextEncoding.hexadecimal.encode(bytes.span))
    }

    /// Nil if the text does not have 16 hexadecimal digits in lower case.
    package init?(digits text: String) {
        guard text.utf8.count == 2 * Self.byteCount,
            text.utf8.allSatisfy("0123456789abcdef".utf8.contains)
        else { return nil }
        self.init(checked: text)
    }

    private static let byteCount = 8
}
