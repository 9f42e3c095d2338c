import CommandLineTool
import StrictJSON

/// All members of a policy with their values; omitted members have their defaults.
struct EffectivePolicy {
    private let document: JSONValue

    /// Reads a document that a verifier accepted.
    init(_ text: String) throws(StrictJSON.Failure) {
        document = try JSONValue(reading: Array(text.utf8), limits: .message)
    }

    var table: Table {
        Table(
            ["MEMBER", "VALUE", ""],
            PolicyMember.all.map { member in
                guard let value = value(of: member) else {
                    return [member.path, member.fallback ?? "none", "default"]
                }
                return [member.path, value, ""]
            }
        )
    }

    /// As JSON; nil if the document omits the member.
    private func value(of member: PolicyMember) -> String? {
        let found = member.path.split(separator: ".").reduce(document as JSONValue?) { $0?[$1] }
        // Whatever was read can be written.
        return try? found.map { String(decoding: try $0.written(), as: UTF8.self) }
    }
}
