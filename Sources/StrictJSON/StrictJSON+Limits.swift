extension StrictJSON {
    /// Limits for the size and the content of a document.
    package struct Limits: Sendable {
        /// The limits for messages between device, bank and verifier.
        package static let message = Limits(byteCount: 64 << 10, depth: 16, valueCount: 4096)

        package let byteCount: Int
        /// The maximum nesting of objects and arrays.
        let depth: Int
        /// The maximum count of members and elements in the whole document.
        let valueCount: Int
        /// Whether strings may contain an escaped U+0000, which ends a string in C.
        ///
        /// Only test vectors may, because they contain input that must be refused.
        let allowsNullCharacter: Bool

        package init(
            byteCount: Int,
            depth: Int,
            valueCount: Int,
            allowsNullCharacter: Bool = false
        ) {
            // Values use the stack when they are read and when they are freed.
            precondition(depth <= 64, "the depth must be at most 64")
            self.byteCount = byteCount
            self.depth = depth
            self.valueCount = valueCount
            self.allowsNullCharacter = allowsNullCharacter
        }
    }
}
