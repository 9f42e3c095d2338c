import StrictJSON
import TestSupport

/// Changes one element of a message, at any depth.
enum Mutation {
    /// Each element that is missing once.
    static func missing(of samples: [SampleMessage]) -> [JudgedCase] {
        var seen: Set<String> = []
        return samples.flatMap { sample in
            sample.members.indices.compactMap { index in
                var members = sample.members
                let name = members.remove(at: index).name
                let key = "\(sample.type) \(sample.version) \(sample.receiver) \(name)"
                guard seen.insert(key).inserted else { return nil }
                return judged("without \(name)", .object(members), sample)
            }
        }
    }

    /// A share of all changes, chosen at random.
    static func all(
        of sample: SampleMessage,
        oneOf share: Int,
        using random: inout SeededGenerator
    ) -> [JudgedCase] {
        var cases: [JudgedCase] = []
        func visit(_ value: JSONValue, _ path: String, _ rebuild: (JSONValue) -> JSONValue) {
            switch value {
            case .object(let members):
                for (index, member) in members.enumerated() {
                    let path = path + "." + member.name
                    func replacing(_ new: [JSONValue.Member]) -> JSONValue {
                        rebuild(.object(members[..<index] + new + members[(index + 1)...]))
                    }
                    func add(_ name: @autoclosure () -> String, _ new: [JSONValue.Member]) {
                        guard Int.random(in: 0..<share, using: &random) == 0 else { return }
                        cases.append(judged("\(path): \(name())", replacing(new), sample))
                    }
                    add("missing", [])
                    add("repeated", [member, member])
                    add("renamed", [.init(name: member.name + "\u{212a}", value: member.value)])
                    add("in an array", [.init(name: member.name, value: .array([member.value]))])
                    for value in values {
                        add(value.document, [.init(name: member.name, value: value)])
                    }
                    visit(member.value, path) { replacing([.init(name: member.name, value: $0)]) }
                }
            case .array(let elements):
                for (index, element) in elements.enumerated() {
                    visit(element, path) { new in
                        rebuild(.array(elements[..<index] + [new] + elements[(index + 1)...]))
                    }
                }
            default: break
            }
        }
        visit(.object(sample.members), "") { $0 }
        return cases
    }

    private static func judged(
        _ name: String,
        _ value: JSONValue,
        _ sample: SampleMessage
    ) -> JudgedCase {
        JudgedCase(name: name, text: value.document, sample: sample)
    }

    /// Values that are wrong, or just right, for one form or another.
    private static let values: [JSONValue] =
        [.null, .object([]), .array([]), .boolean(true), .boolean(false), .number(JSONNumber(1))]
        + [
            huge, .array([.string("01"), .string("01")]), .object([.init(name: "a", value: .null)]),
        ]
        + [
            "", " ", "?", "0", "9", "00", "01", "05", "06", "12", "60", "79", "80", "99", "zz", "Y",
            "N", "U", "R", "S", "002", "255", "256", "276", "901", "963", "999", "392", "840",
            "2.1.0", "2.3.1", "9.9.9", "2613", "20260229", "20261122240000", "https://", "a:b//c",
            "HTTPS://a", "a@", "::1", "1.2.3.256", "1::2::3", "+60", "-", "é", "\u{212a}",
            "4242424242424241", "2F37539C-D82E-4929-88DB-2F9E72C7FA62", "a.b", "EC", "000000",
        ].map { .string($0) }
        + [46, 49, 65, 129, 257, 351, 2049].map { .string(String(repeating: "1", count: $0)) }
        + [.string(String(repeating: "é", count: 64)), .string(String(repeating: "A", count: 28))]

    private static let huge =
        (try? JSONValue(reading: Array("1e400".utf8), limits: .message)) ?? .null
}
