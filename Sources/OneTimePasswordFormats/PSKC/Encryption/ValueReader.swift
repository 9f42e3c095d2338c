import Cryptography
import OneTimePassword

/// Reads the plain and encrypted values of one document.
///
/// The key is derived once, at the first encrypted value.
final class ValueReader {
    typealias Failure = PSKCDocument.ReadingFailure

    private let container: XMLElement
    private let unlock: PSKCDocument.Unlock
    private var cipher: ValueCipher?

    init(of container: XMLElement, unlockedBy unlock: PSKCDocument.Unlock) {
        self.container = container
        self.unlock = unlock
    }

    func secret(_ element: XMLElement) throws(Failure) -> SecretBytes {
        let bytes =
            if let plain = try plainValue(of: element) {
                try plain.secretBase64()
            } else {
                try openedValue(of: element)
            }
        do throws(Secret.Failure) {
            return try SecretBytes(bytes)
        } catch {
            if case .system(let failure) = error { throw .system(failure) }
            throw element.malformed
        }
    }

    /// A number: decimal digits or, if encrypted, at most 8 bytes in big-endian order.
    func number(_ element: XMLElement) throws(Failure) -> UInt64 {
        if let plain = try plainValue(of: element) { return try plain.number() }
        let bytes = try openedValue(of: element)
        guard (1...8).contains(bytes.count) else { throw element.malformed }
        return bytes.withBytes { $0.array.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    private func plainValue(of element: XMLElement) throws(Failure) -> XMLElement? {
        try element.allowOnly(["PlainValue", "EncryptedValue", "ValueMAC"])
        guard let plain = try element.child("PlainValue") else { return nil }
        // A second value would contradict it, and no rule defines its MAC.
        if let other = element.children.first(where: { $0 !== plain }) {
            throw .unexpectedElement(line: other.line)
        }
        return plain
    }

    private func openedValue(of element: XMLElement) throws(Failure) -> SecureBytes {
        let value = try EncryptedValue(reading: try element.requiredChild("EncryptedValue"))
        guard let mac = try element.child("ValueMAC")?.base64() else {
            throw .macMissing(line: element.line)
        }
        let cipher = try readyCipher()
        try value.requireKey(byteCount: cipher.keyByteCount)
        do throws(CryptographyFailure) {
            return try cipher.open(value.bytes, mac: mac)
        } catch {
            if error == .authenticationFailed { throw .macMismatch(line: element.line) }
            throw .system(SystemFailure(error))
        }
    }

    private func readyCipher() throws(Failure) -> ValueCipher {
        if let cipher { return cipher }
        let cipher = try ValueCipher(reading: container, unlockedBy: unlock)
        self.cipher = cipher
        return cipher
    }
}
