extension PSKCDocument {
    /// Why a document was refused; lines count from 1.
    public enum ReadingFailure: Error, Equatable, Sendable {
        /// More than 4 MiB, deeper than 32 elements, or more than there is memory for.
        case tooLarge
        /// Not in UTF-8, or said to be in another encoding.
        case encodingRefused
        /// Not well-formed.
        case notXML(line: Int)
        case doctypeRefused
        /// The root is no key container of version 1.0.
        case notPSKC
        /// An element that does not belong there, or not twice, or has a name beyond ASCII.
        case unexpectedElement(line: Int)
        /// The named element or attribute is missing from the element of that line.
        case missing(String, line: Int)
        /// The named element or attribute says what it must not, holds characters that hide others,
        /// or is text of more than 1 KiB.
        case malformed(String, line: Int)
        /// The key has the id of one before it.
        case duplicateKeyID(line: Int)
        /// An algorithm that is not supported, by its URI.
        case unsupportedAlgorithm(String, line: Int)
        case preSharedKeyNeeded
        case passwordNeeded
        /// The encryption takes a key of that length.
        case wrongKeyLength(expectedByteCount: Int)
        case iterationsOutOfRange
        /// An encrypted value without a MAC, or a MAC without its key.
        case macMissing(line: Int)
        /// Wrong pre-shared key, wrong password, or a changed document: nobody can tell which.
        case macMismatch(line: Int)
        case machine(SystemFailure)
    }
}
