extension StrictJSON {
    /// How much a document may hold, and what.
    package struct Limits: Sendable {
        /// What a message of device, bank or verifier may hold.
        package static let message = Limits(byteCount: 64 << 10, depth: 16, valueCount: 4096)

        package let byteCount: Int
        /// How many objects and arrays may be open at once.
        let depth: Int
        /// How many members and elements there may be in all.
        let valueCount: Int
        /// Whether strings may hold an escaped U+0000, where C would take them to end.
        ///
        /// Test vectors do: they carry what others must refuse.
        let allowsNullCharacter: Bool

        package init(
            byteCount: Int,
            depth: Int,
            valueCount: Int,
            allowsNullCharacter: Bool = false
        ) {
            // Values nest on the stack, when they are read and when they are freed.
            precondition(depth <= 64, "a stack has an end")
            self.byteCount = byteCount
            self.depth = depth
            self.valueCount = valueCount
            self.allowsNullCharacter = allowsNullCharacter
        }
    }
}
