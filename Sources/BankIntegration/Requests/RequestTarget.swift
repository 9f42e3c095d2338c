/// The path and the query of a request.
package struct RequestTarget: Sendable {
    /// The parts of the path after its first slash; nil if it does not begin with a slash.
    let parts: ArraySlice<Substring>?
    /// 0 if the path does not begin with a slash.
    package var partCount: Int { parts?.count ?? 0 }
    /// The text after the first question mark.
    package let query: Substring?

    package init(_ text: String) {
        let sides = text.utf8.split(
            separator: UInt8(ascii: "?"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        query = sides.dropFirst().first.map { Substring($0) }
        let parts = sides[0].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        self.parts = parts[0].isEmpty ? parts.dropFirst() : nil
    }
}
