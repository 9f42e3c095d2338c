import Cryptography

extension XMLElement {
    /// The bytes of a base64 text that is no secret.
    func base64() throws(Failure) -> [UInt8] {
        let text = try unspacedText().string
        do throws(CryptographyFailure) {
            return try TextEncoding.base64.decode(text)
        } catch {
            throw malformed
        }
    }

    /// The bytes of a base64 text that is a secret.
    func secretBase64() throws(Failure) -> SecureBytes {
        let text = try unspacedText()
        do throws(CryptographyFailure) {
            return try text.withBytes { text throws(CryptographyFailure) in
                // Before any is decoded: locked memory is scarce, and others need it too.
                guard text.count <= 2 * SecretBytes.maximumByteCount else {
                    throw .malformedEncoding(offset: text.count)
                }
                return try TextEncoding.base64.decode(secret: text)
            }
        } catch {
            if case .malformedEncoding = error { throw malformed }
            throw .machine(SystemFailure(error))
        }
    }
}
