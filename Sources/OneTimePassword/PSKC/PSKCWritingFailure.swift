extension PSKCDocument {
    /// Why a document cannot be written.
    public enum WritingFailure: Error, Equatable, Sendable {
        case noKeys
        /// More than 4 MiB, which nobody here would read.
        case tooLarge
        /// The key has the id of one before it; indices are those of `keys`.
        case duplicateKeyID(keyIndex: Int)
        /// The policy says more than is understood here, and would be weaker when written.
        case policyNotUnderstood(keyIndex: Int)
        /// The named element or attribute holds characters that hide others, begins or ends with a
        /// space, or is longer than 1 KiB.
        case malformed(String)
        /// A pre-shared key has 16, 24 or 32 bytes.
        case wrongKeyLength
        case iterationsOutOfRange
        case machine(SystemFailure)
    }
}
