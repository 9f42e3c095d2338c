import Cryptography
import FailureTranslation
import OneTimePassword

extension XMLElement {
    /// The bytes of a base64 text that is not secret.
    func base64() throws(Failure) -> [UInt8] {
        let text = try unspacedText().string
        return try translating(TextEncoding.base64.decode(text)) { (_: CryptographyFailure) in
            malformed
        }
    }

    /// The bytes of a secret base64 text.
    func secretBase64() throws(Failure) -> SecureBytes {
        let text = try unspacedText()
        do throws(CryptographyFailure) {
            return try text.withBytes { text throws(CryptographyFailure) in
                // Checked before decoding: locked memory is scarce, and shared.
                guard text.count <= 2 * SecretBytes.maximumByteCount else {
                    throw .malformedEncoding(offset: text.count)
                }
                return try TextEncoding.base64.decode(secret: text)
            }
        } catch {
            if case .malformedEncoding = error { throw malformed }
            throw .system(SystemFailure(error))
        }
    }
}
