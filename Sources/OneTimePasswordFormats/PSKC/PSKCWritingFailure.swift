import Cryptography
public import OneTimePassword

extension PSKCDocument {
    /// The reason why a document cannot be written.
    public enum WritingFailure: Error, Equatable, Sendable {
        case noKeys
        /// More than 4 MiB, which the reader would reject.
        case tooLarge
        /// An earlier key has the same id; indices are those of `keys`.
        case duplicateKeyID(keyIndex: Int)
        /// The policy contains unsupported rules, which would be lost.
        case policyNotUnderstood(keyIndex: Int)
        /// The named element or attribute contains characters that hide others, begins or ends with
        /// a space, or is longer than 1 KiB.
        case malformed(String)
        /// A pre-shared key must have 16, 24 or 32 bytes.
        case wrongKeyLength
        case iterationsOutOfRange
        case system(SystemFailure)
    }
}
