import StrictJSON

/// Compares the elements of a message with their rows, and notes all findings.
struct ElementCheck {
    enum Finding { case missing, invalid, reserved, noISOCode }

    /// An element; its whole name is only written for a finding.
    fileprivate struct Place {
        let path: String
        let name: String

        var members: String { path + name + "." }
    }

    private let facts: TransactionFacts?
    private let receiver: Component
    private let version: ProtocolVersion
    /// An unknown channel could be each of them, and so could an unknown category.
    private let occasions: Occasions
    /// The length of the message.
    private let byteCount: Int
    /// The names by finding, without repetitions.
    private(set) var names: [Finding: [String]] = [:]

    init(
        _ type: MessageType,
        _ version: ProtocolVersion,
        _ members: [JSONValue.Member],
        byteCount: Int,
        receiver: Component,
        facts: TransactionFacts?
    ) {
        self.byteCount = byteCount
        (self.version, self.receiver, self.facts) = (version, receiver, facts)
        // An AReq states them itself, and an RReq states one of them.
        let channel =
            members.text(of: "deviceChannel").flatMap(DeviceChannel.init) ?? facts?.channel
        let category =
            members.text(of: "messageCategory").flatMap(MessageCategory.init) ?? facts?.category
        occasions = Occasions(
            [type],
            channel.map { [$0] } ?? DeviceChannel.allCases,
            category.map { [$0] } ?? MessageCategory.allCases
        )
        check(members, FieldTable.rows(of: type, in: version), below: "")
    }

    private mutating func note(_ finding: Finding, _ place: Place) {
        let name = place.path + place.name
        // More names than a person would read are left out.
        guard names[finding, default: []].count < 100, names[finding]?.contains(name) != true
        else { return }
        names[finding, default: []].append(name)
    }
}

// MARK: Presence

extension ElementCheck {
    private mutating func check(
        _ members: [JSONValue.Member],
        _ rows: ElementRows,
        below path: String
    ) {
        let scope = Scope(members, rows, facts: facts, receiver: receiver)
        for (index, row) in rows.rows.enumerated() {
            let value = scope[index]
            guard value != nil || row.canBeMissing, let presence = presence(of: row) else {
                continue
            }
            if let finding = presence.finding(about: value, in: scope) {
                note(finding, Place(path: path, name: row.name))
            } else if let value {
                check(value, row.form, Place(path: path, name: row.name))
            }
        }
    }

    /// Nil if the row is not for this message, channel or category: it is an unknown element then.
    private func presence(of row: Field) -> Presence? {
        var presence: Presence?
        for use in row.uses where !use.occasions.isDisjoint(with: occasions) {
            presence = use.occasions.isSuperset(of: occasions) ? use.presence : .optional
        }
        return presence
    }
}

extension Presence {
    /// Evaluates a condition only if it decides about this value.
    fileprivate func finding(
        about value: JSONValue?,
        in scope: Scope
    ) -> ElementCheck.Finding? {
        let isThere = value.map { !$0.isEmpty } ?? false
        switch self {
        case .required: return isThere ? nil : .missing
        case .optional: return nil
        case .conditional(let condition):
            guard let isDemanded = condition.holds(in: scope) else { return nil }
            if isDemanded { return isThere ? nil : .missing }
            return value == nil ? nil : .invalid
        case .requiredIf(let condition):
            return isThere || condition.holds(in: scope) != true ? nil : .missing
        case .allowedIf(let condition):
            return value == nil || condition.holds(in: scope) != false ? nil : .invalid
        }
    }
}

// MARK: Values

extension ElementCheck {
    private mutating func check(_ value: JSONValue, _ form: Form, _ place: Place) {
        switch (form, value) {
        case (.boolean, .boolean), (.alwaysTrue, .boolean(true)), (.dropped, _), (.cardNumber, _):
            break
        case (.object(let rows, let maximum), .object(let members)):
            guard !members.isEmpty, !exceeds(maximum, value) else {
                note(.invalid, place)
                return
            }
            check(members, rows[version], below: place.members)
        case (.anyObject(let maximum), .object), (.textOrObject(let maximum), .object):
            if value.isEmpty || exceeds(maximum, value) { note(.invalid, place) }
        case (.array(let element, let counts, let maximum), .array(let elements)):
            guard counts.contains(elements.count), !exceeds(maximum, value) else {
                note(.invalid, place)
                return
            }
            for value in elements { check(value, element, place) }
        case (.choices(let counts, let keyLength), .array(let elements)):
            let areChoices = elements.allSatisfy { $0.isChoice(keyLength: keyLength) }
            if !counts.contains(elements.count) || !areChoices { note(.invalid, place) }
        case (_, .string(let text)): check(text, form, place)
        default: note(.invalid, place)
        }
    }

    private mutating func check(_ text: String, _ form: Form, _ place: Place) {
        switch form.judge(text) {
        case .right: break
        case .wrong, nil: note(.invalid, place)
        case .reserved: note(version < .twoThree ? .invalid : .reserved, place)
        case .noISOCode: note(.noISOCode, place)
        }
    }

    /// The length of an object is that of its text.
    private func exceeds(_ maximum: Int?, _ value: JSONValue) -> Bool {
        // The shortest text of a value is not longer than the message in which it arrived.
        guard let maximum, byteCount > maximum else { return false }
        // A value that was read can be written again.
        guard let bytes = try? value.written() else { return true }
        return !String(decoding: bytes, as: UTF8.self).hasLength(0...maximum)
    }
}

extension JSONValue {
    fileprivate func isChoice(keyLength: Int) -> Bool {
        guard case .object(let members) = self, members.count == 1, let member = members.first,
            let text = member.value.text
        else { return false }
        return member.name.hasLength(1...keyLength) && text.hasLength(1...45)
    }
}
