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
    private let type: MessageType
    private let version: ProtocolVersion
    private let channel: DeviceChannel?
    private let category: MessageCategory?
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
        (self.type, self.version, self.receiver, self.facts) = (type, version, receiver, facts)
        // An AReq states them itself, and an RReq states one of them.
        channel = members.text(of: "deviceChannel").flatMap(DeviceChannel.init) ?? facts?.channel
        category =
            members.text(of: "messageCategory").flatMap(MessageCategory.init) ?? facts?.category
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
            guard value != nil || row.canBeMissing, let demand = demand(row, in: scope) else {
                continue
            }
            guard let value, demand != .required || !value.isEmpty else {
                if demand == .required { note(.missing, Place(path: path, name: row.name)) }
                continue
            }
            let place = Place(path: path, name: row.name)
            if demand == .refused {
                note(.invalid, place)
            } else {
                check(value, row.form, place)
            }
        }
    }

    fileprivate enum Demand { case required, optional, refused }

    /// Nil if the row is not for this message, channel or category: it is an unknown element then.
    private func demand(_ row: Field, in scope: Scope) -> Demand? {
        var demand: Demand?
        for use in row.uses where use.messages.isEmpty || use.messages.contains(type) {
            guard applies(use.channels, channel), applies(use.categories, category) else {
                continue
            }
            let isCertain = covers(use.channels, channel) && covers(use.categories, category)
            demand = isCertain ? use.presence.demand(in: scope) : .optional
        }
        return demand
    }

    /// An unknown channel could be each of them.
    private func applies<Kind: Equatable>(_ kinds: [Kind], _ kind: Kind?) -> Bool {
        kind.map { kinds.contains($0) } ?? true
    }

    private func covers<Kind: CaseIterable & Equatable>(_ kinds: [Kind], _ kind: Kind?) -> Bool {
        kind != nil || kinds.count == Kind.allCases.count
    }
}

extension Presence {
    fileprivate func demand(in scope: Scope) -> ElementCheck.Demand {
        switch self {
        case .required: .required
        case .optional: .optional
        case .conditional(let condition):
            condition.holds(in: scope).map { $0 ? .required : .refused } ?? .optional
        case .requiredIf(let condition): condition.holds(in: scope) == true ? .required : .optional
        case .allowedIf(let condition): condition.holds(in: scope) == false ? .refused : .optional
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
