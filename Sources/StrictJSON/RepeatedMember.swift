/// A name that an object has more than once.
package struct RepeatedMember: Hashable, Sendable {
    /// The names of the members from the document's root to this member, without array indices.
    package let path: [String]
}

extension JSONValue {
    /// Reads a document whose objects may repeat names, and lists the repeated members.
    ///
    /// Only for protocols whose error report names them: a document with a repeated member has no
    /// single meaning, so the caller must refuse it.
    package static func reading(
        _ bytes: [UInt8],
        limits: StrictJSON.Limits
    ) throws(StrictJSON.Failure) -> (value: JSONValue, repeatedMembers: [RepeatedMember]) {
        var reader = JSONReader(bytes: bytes, limits: limits, listsRepeatedMembers: true)
        let value = try reader.document()
        return (value, reader.repeatedMembers ?? [])
    }
}
