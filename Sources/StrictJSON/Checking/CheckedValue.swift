/// A value of a document, which is read to the end even if it breaks rules.
///
/// Its functions note violations in a list, and return nil or fewer elements. So the sender gets
/// all violations at once.
package struct CheckedValue {
    package let pointer: String
    private let value: JSONValue
    private let list: ViolationList
    private var isSecret = false

    package init(_ document: JSONValue, noting list: ViolationList) {
        self.init(document, at: "", noting: list)
    }

    fileprivate init(_ value: JSONValue, at pointer: String, noting list: ViolationList) {
        self.value = value
        self.pointer = pointer
        self.list = list
    }

    /// Notes that this value breaks a rule.
    package func violates(_ rule: Violation.Rule, _ sentence: String) {
        list.append(Violation(pointer, rule, value: shown, sentence))
    }

    /// This value, which no violation shows.
    package func hidden() -> CheckedValue {
        var hidden = self
        hidden.isSecret = true
        return hidden
    }

    private var shown: String? {
        switch value {
        case _ where isSecret: nil
        case .string(let text): text
        case .number(let number): number.text
        case .object, .array, .boolean, .null: nil
        }
    }

    private func hasWrongType(_ sentence: String) {
        if case .null = value {
            violates(.wrongType, "Must not be null. Omit the member instead.")
        } else {
            violates(.wrongType, sentence)
        }
    }
}

extension CheckedValue {
    package func string() -> String? {
        if case .string(let text) = value { return text }
        hasWrongType("Must be a string.")
        return nil
    }

    package func boolean() -> Bool? {
        if case .boolean(let truth) = value { return truth }
        hasWrongType("Must be true or false.")
        return nil
    }

    package func integer<Integer: FixedWidthInteger>(
        in range: ClosedRange<Integer>
    ) -> Integer? {
        guard case .number(let number) = value else {
            hasWrongType("Must be an integer.")
            return nil
        }
        guard number.text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-") }) else {
            violates(.wrongType, "Must be an integer, without a fraction or an exponent.")
            return nil
        }
        guard let integer = number.integer(Integer.self), range.contains(integer) else {
            violates(
                .outOfRange,
                range.upperBound == .max
                    ? "Must be at least \(range.lowerBound)."
                    : "Must be from \(range.lowerBound) to \(range.upperBound)."
            )
            return nil
        }
        return integer
    }

    /// One of the texts that have a value.
    package func choice<Value>(of values: [(text: String, value: Value)]) -> Value? {
        guard let text = string() else { return nil }
        let names = text.utf8
        if let found = values.first(where: { $0.text.utf8.elementsEqual(names) }) {
            return found.value
        }
        let list = values.map(\.text).joined(separator: ", ")
        violates(.notAllowed, "Must be one of: \(list).")
        return nil
    }

    /// None if it is not an array of an allowed length.
    package func elements(_ counts: ClosedRange<Int>) -> [CheckedValue] {
        guard case .array(let elements) = value else {
            hasWrongType("Must be an array.")
            return []
        }
        guard elements.count >= counts.lowerBound else {
            let isOne = counts.lowerBound == 1
            violates(
                .tooFew,
                isOne ? "Must not be empty." : "Must have at least \(counts.lowerBound) elements."
            )
            return []
        }
        guard elements.count <= counts.upperBound else {
            violates(.tooMany, "Must have at most \(counts.upperBound) elements.")
            return []
        }
        return elements.enumerated().map { index, element in
            CheckedValue(element, at: "\(pointer)/\(index)", noting: list)
        }
    }

    /// An object that has no members but these, unless `ignoresOthers`.
    package func object(_ names: [String], ignoresOthers: Bool = false) -> CheckedObject? {
        guard case .object(let members) = value else {
            hasWrongType("Must be an object.")
            return nil
        }
        var known: [String: CheckedValue] = [:]
        for member in members {
            // The sender chooses unknown names, so only their beginning is shown.
            let name = String(member.name.prefix(Self.maximumNameLength))
            let place = "\(pointer)/\(pointerToken(name))"
            if names.contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
                known[member.name] = CheckedValue(member.value, at: place, noting: list)
            } else if !ignoresOthers {
                let members = names.isEmpty ? "none" : names.joined(separator: ", ")
                let sentence = "Is not a member of this object. Its members: \(members)."
                list.append(Violation(place, .unknown, sentence))
            }
        }
        return CheckedObject(members: known, pointer: pointer, list: list)
    }

    private static let maximumNameLength = 64
}

/// The members of an object that is being read.
package struct CheckedObject {
    fileprivate let members: [String: CheckedValue]
    fileprivate let pointer: String
    fileprivate let list: ViolationList

    package func optional(_ name: String) -> CheckedValue? { members[name] }

    package func required(_ name: String) -> CheckedValue? {
        if let member = members[name] { return member }
        list.append(Violation("\(pointer)/\(name)", .missing, "Is required."))
        return nil
    }
}

extension StrictJSON {
    /// Reads a document with a function that notes all violations.
    ///
    /// The function must note one if it returns nil.
    package static func check<Value>(
        _ bytes: [UInt8],
        limits: Limits = .message,
        _ read: (CheckedValue) -> Value?
    ) throws(Failure) -> CheckedResult<Value> {
        let list = ViolationList()
        let value = read(CheckedValue(try JSONValue(reading: bytes, limits: limits), noting: list))
        guard list.violations.isEmpty, let value else { return .refused(list.violations) }
        return .accepted(value)
    }
}

package enum CheckedResult<Value> {
    case accepted(Value)
    case refused([Violation])
}

extension CheckedResult: Sendable where Value: Sendable {}
