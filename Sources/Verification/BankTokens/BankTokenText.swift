package import Cryptography
import TransactionApproval

/// A token's text: `countersign_`, its id, its secret, and check characters over both.
///
/// Secret scanners find tokens by this prefix. The text is move-only and in secure memory; it
/// exists at creation and while a request is checked.
package struct BankTokenText: ~Copyable, Sendable {
    package let id: BankTokenID
    private let secret: SecureBytes

    private static let opening = "countersign_"
    private static let secretByteCount = 32
    private static let checkByteCount = 4

    static func random() throws(CryptographyFailure) -> BankTokenText {
        BankTokenText(id: try .random(), secret: try SecureBytes.random(count: secretByteCount))
    }

    private init(id: BankTokenID, secret: consuming SecureBytes) {
        self.id = id
        self.secret = secret
    }

    borrowing func secretDigest() throws(CryptographyFailure) -> Digest {
        try secret.withBytes { secret throws(CryptographyFailure) in
            try HashAlgorithm.sha256.digest(of: secret)
        }
    }

    package borrowing func text() throws(CryptographyFailure) -> SecureBytes {
        let beginning = Array("\(Self.opening)\(id)_".utf8)
        let digits = try secret.withBytes { secret throws(CryptographyFailure) in
            try TextEncoding.hexadecimal.encode(secret: secret)
        }
        let unchecked = try digits.withBytes { digits throws(CryptographyFailure) in
            try SecureBytes(joining: beginning.span, digits)
        }
        return try unchecked.withBytes { unchecked throws(CryptographyFailure) in
            let check = try Self.check(of: unchecked)
            return try SecureBytes(joining: unchecked, check.span)
        }
    }

    /// The token in a file that contains one as a line; nil if the file does not.
    package static func shown(in file: Span<UInt8>) throws(CryptographyFailure) -> String? {
        let hasEnd = !file.isEmpty && file[file.count - 1] == UInt8(ascii: "\n")
        guard let token = try read(file.extracting(first: file.count - (hasEnd ? 1 : 0))) else {
            return nil
        }
        return try token.text().withBytes { String(decoding: $0.array, as: UTF8.self) }
    }

    /// Nil unless it is exactly the output of `text()`.
    static func read(_ text: Span<UInt8>) throws(CryptographyFailure) -> BankTokenText? {
        let idStart = opening.utf8.count
        let secretStart = idStart + 2 * BankTokenID.byteCount + 1
        let checkStart = secretStart + 2 * secretByteCount
        guard text.count == checkStart + 2 * checkByteCount else { return nil }
        let name = text.extracting(idStart..<secretStart - 1)
        guard let id = BankTokenID(String(decoding: name.array, as: UTF8.self)) else { return nil }
        let token: BankTokenText
        do throws(CryptographyFailure) {
            let digits = text.extracting(secretStart..<checkStart)
            let secret = try TextEncoding.hexadecimal.decode(secret: digits)
            token = BankTokenText(id: id, secret: secret)
        } catch .malformedEncoding {
            return nil
        }
        let spelling = try token.text()
        let isCanonical = spelling.withBytes { equalInConstantTime($0, text) }
        return isCanonical ? consume token : nil
    }

    /// 32 bits of a hash, in hexadecimal: they detect typing errors and truncation, not an
    /// attacker.
    private static func check(of text: Span<UInt8>) throws(CryptographyFailure) -> [UInt8] {
        let hash = try HashAlgorithm.sha256.digest(of: text)
        return hash.withBytes { hash in
            Array(TextEncoding.hexadecimal.encode(hash.extracting(first: checkByteCount)).utf8)
        }
    }
}
