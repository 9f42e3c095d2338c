/// A version of EMV 3-D Secure that this target has a column of the field table for.
package enum ProtocolVersion: String, CaseIterable, Comparable, Sendable {
    case twoOne = "2.1.0"
    case twoTwo = "2.2.0"
    case twoThree = "2.3.1"

    package static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
        // One digit per part, so the order of the texts is the order of the versions.
        left.rawValue < right.rawValue
    }

    /// The highest version that all parties support; nil if they have none in common.
    ///
    /// It is fixed for the transaction: without one, there is no message.
    package static func highestInCommon(
        of parties: [some Sequence<ProtocolVersion>]
    ) -> ProtocolVersion? {
        let supported = parties.map { Set($0) }
        return allCases.last { version in
            !supported.isEmpty && supported.allSatisfy { $0.contains(version) }
        }
    }

    /// The versions from `start` to `end`, as a card range announces them.
    ///
    /// Versions between them that this target does not know are left out.
    package static func range(from start: String, to end: String) -> [ProtocolVersion] {
        guard let start = parts(of: start), let end = parts(of: end) else { return [] }
        return allCases.filter { version in
            guard let parts = parts(of: version.rawValue) else { return false }
            return !parts.lexicographicallyPrecedes(start) && !end.lexicographicallyPrecedes(parts)
        }
    }

    private static func parts(of text: String) -> [Int]? {
        guard isVersion(text) else { return nil }
        return text.utf8.split(separator: UInt8(ascii: ".")).map { part in
            part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
    }
}
