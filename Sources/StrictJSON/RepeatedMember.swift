/// A name that an object has more than once.
package struct RepeatedMember: Hashable, Sendable {
    /// The names of the members from the document's root to this member, without array indices.
    package let path: [String]
}

extension JSONValue {
    /// Reads a document whose objects may repeat names, and lists the repeated members.
    ///
    /// Only for protocols whose error report names them. A repeated member has no single meaning, so
    /// the caller must refuse a document in which it could have an effect.
    package static func reading(
        _ bytes: [UInt8],
        limits: StrictJSON.Limits
    ) throws(StrictJSON.Failure) -> (value: JSONValue, repeatedMembers: [RepeatedMember]) {
        var reader = JSONReader(bytes: bytes, limits: limits, repetitions: RepetitionList())
        let value = try reader.document()
        return (value, reader.repetitions?.members ?? [])
    }
}

/// The repeated members that a reader has found.
struct RepetitionList {
    private(set) var members: [RepeatedMember] = []

    /// Adds the name of the member in whose value the last of `members` were found.
    mutating func add(_ name: String, toMembersFrom first: Int) {
        for index in first..<members.count {
            members[index] = RepeatedMember(path: [name] + members[index].path)
        }
    }

    /// Adds each repeated name of an object once, in the order of its first repetition.
    ///
    /// Ignores more names than a person would read.
    mutating func append(_ object: [JSONValue.Member]) {
        var names: Set<ExactName> = []
        var listed: Set<ExactName> = []
        for member in object where !names.insert(ExactName(member.name)).inserted {
            guard listed.insert(ExactName(member.name)).inserted, members.count < 100 else {
                continue
            }
            members.append(RepeatedMember(path: [member.name]))
        }
    }
}
