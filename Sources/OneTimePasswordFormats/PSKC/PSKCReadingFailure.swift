import Cryptography
public import OneTimePassword

extension PSKCDocument {
    /// The reason why a document was rejected; lines count from 1.
    public enum ReadingFailure: Error, Equatable, Sendable {
        /// More than 4 MiB, more than 32 nested elements, or more than the memory can hold.
        case tooLarge
        /// Not in UTF-8, or declared as another encoding.
        case encodingRefused
        /// Not well-formed.
        case notXML(line: Int)
        case doctypeRefused
        /// The root is not a key container of version 1.0.
        case notPSKC
        /// An element that is not allowed there, is repeated, or has a non-ASCII name.
        case unexpectedElement(line: Int)
        /// The named element or attribute is missing from the element of that line.
        case missing(String, line: Int)
        /// The named element or attribute has an invalid value, contains characters that hide
        /// others, or is longer than 1 KiB.
        case malformed(String, line: Int)
        /// An earlier key has the same id.
        case duplicateKeyID(line: Int)
        /// An unsupported algorithm, by its URI.
        case unsupportedAlgorithm(String, line: Int)
        case preSharedKeyNeeded
        case passwordNeeded
        /// The encryption needs a key of that length.
        case wrongKeyLength(expectedByteCount: Int)
        case iterationsOutOfRange
        /// An encrypted value without a MAC, or a MAC without its key.
        case macMissing(line: Int)
        /// Wrong key, wrong password, or changed document: these cannot be distinguished.
        case macMismatch(line: Int)
        case system(SystemFailure)
    }
}
