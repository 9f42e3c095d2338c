import StrictJSON

@testable import ThreeDSProtocol

/// The last permitted and the first refused values of a form.
enum Limit {
    /// Each row of the table once, in the first message that has it.
    static func cases(of samples: [SampleMessage]) -> [JudgedCase] {
        var seen: Set<ObjectIdentifier> = []
        var cases: [JudgedCase] = []
        func visit(
            _ value: JSONValue,
            _ rows: ElementRows,
            _ sample: SampleMessage,
            _ rebuild: (JSONValue) -> JSONValue
        ) {
            guard case .object(let members) = value else { return }
            for (index, member) in members.enumerated() {
                guard let row = rows.rows.first(where: { $0.name == member.name }),
                    seen.insert(ObjectIdentifier(row)).inserted
                else { continue }
                func replacing(_ value: JSONValue) -> JSONValue {
                    var members = members
                    members[index] = .init(name: row.name, value: value)
                    return rebuild(.object(members))
                }
                for value in row.form.limits(around: member.value) {
                    let name = "\(row.name): \(value.document.prefix(60))"
                    let text = replacing(value).document
                    cases.append(JudgedCase(name: name, text: text, sample: sample))
                }
                let inner = VersionedRows(row.form.rows)[sample.version]
                if case .array(let elements) = member.value, let first = elements.first {
                    visit(first, inner, sample) { replacing(.array([$0])) }
                } else {
                    visit(member.value, inner, sample, replacing)
                }
            }
        }
        for sample in samples {
            let rows = FieldTable.rows(of: sample.type, in: sample.version)
            visit(.object(sample.members), rows, sample) { $0 }
        }
        return cases
    }
}

extension Form {
    fileprivate func limits(around sample: JSONValue) -> [JSONValue] {
        switch self {
        case .text(let length): Self.texts("é", length)
        case .digits(let length): Self.texts("1", length)
        case .base64URL(let length): Self.texts("A", length)
        case .number(let range, let length):
            [range.lowerBound - 1, range.upperBound, range.upperBound + 1].flatMap { number in
                [length.lowerBound, length.upperBound, length.upperBound + 1].map { count in
                    .string(
                        String(repeating: "0", count: max(0, count - "\(number)".count))
                            + "\(number)"
                    )
                }
            }
        case .code(let code):
            (code.values.suffix(1) + ["79", "80", "99", "00"] + Self.letters).map { .string($0) }
                + code.values.compactMap { Int($0) }.suffix(1).map { .string("0\($0 + 1)") }
                + code.values.compactMap { Int($0) }.suffix(1).map { .string("\($0 + 1)") }
        case .url(let maximum), .statedURL(let maximum), .secureURL(let maximum),
            .appURL(let maximum):
            Self.padded("https://a/", to: maximum)
                + (`An address`.accepted + `An address`.refused
                + `An address of an app`.accepted + `An address of an app`.refused
                + `An address that is not opened`.accepted)
                .map { .string($0) }
        case .mailbox(let maximum): Self.padded("a@", to: maximum)
        case .compactJWS(let maximum): Self.padded("a.b.", to: maximum ?? 64_000)
        case .textOrObject(let maximum): Self.texts("x", 1...maximum)
        case .anyObject(let maximum):
            [0, 1].map { more in
                let text = String(repeating: "x", count: maximum - 8 + more)
                return .object([.init(name: "a", value: .string(text))])
            }
        case .array(let element, let counts, _):
            Self.arrays(of: element, counts, sample)
        case .choices(let counts, let keyLength):
            [(counts.upperBound, keyLength), (counts.upperBound + 1, 1), (1, keyLength + 1)]
                .map { count, length in
                    .array(
                        (0..<count).map { index in
                            let key = String(repeating: "k", count: length)
                            return .object([.init(name: key, value: .string("\(index)"))])
                        }
                    )
                }
        default: []
        }
    }

    /// All letters that are a code of some element, and one more.
    private static let letters = "ABCDEFIMNPRSUXY".map { String($0) }

    private static func texts(_ unit: String, _ length: ClosedRange<Int>) -> [JSONValue] {
        [length.lowerBound - 1, length.lowerBound, length.upperBound, length.upperBound + 1]
            .map { .string(String(repeating: unit, count: $0)) }
    }

    private static func padded(_ start: String, to maximum: Int) -> [JSONValue] {
        [0, 1].map { .string(start + String(repeating: "x", count: maximum - start.count + $0)) }
    }

    /// Elements that differ, because 2.3.1 refuses equal ones.
    private static func arrays(
        of element: Form,
        _ counts: ClosedRange<Int>,
        _ sample: JSONValue
    ) -> [JSONValue] {
        guard counts.upperBound < 1000 else { return [] }
        return [counts.upperBound, counts.upperBound + 1].map { count in
            .array(
                (0..<count).map { index in
                    let digits = index < 10 ? "0\(index)" : "\(index)"
                    switch (element, sample.elements.first) {
                    case (.object, .object(let members)):
                        return .object(members + [.init(name: "n", value: .string(digits))])
                    case (.code(let code), _):
                        return .string(code.values.dropFirst(index).first ?? "80")
                    case (.version, _): return .string("2.2.\(index)")
                    default: return .string(digits)
                    }
                }
            )
        }
    }
}
