import StrictJSON

/// Compares the elements of a message with their rows, and notes all findings.
struct ElementCheck {
    enum Finding { case missing, invalid, reserved, noISOCode, repeated }

    /// An element; its whole name is only written for a finding.
    fileprivate struct Place {
        let path: String
        let name: String

        var members: String { path + name + "." }
    }

    private let facts: TransactionFacts?
    private let reader: MessageReader
    private let type: MessageType
    private let version: ProtocolVersion
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
        reader: MessageReader,
        facts: TransactionFacts?
    ) {
        self.byteCount = byteCount
        (self.type, self.version, self.reader, self.facts) = (type, version, reader, facts)
        let claims = Claims(type, members)
        // A later message cannot change the rules of its transaction.
        let channel = type == .areq ? claims.channel : facts?.channel
        let category = type == .areq ? claims.category : facts?.category ?? claims.category
        occasions = Occasions(type, channel, category)
        check(members, FieldTable.rows(of: type, in: version), below: "")
        check(claims, category, in: members)
    }

    private mutating func note(_ finding: Finding, _ place: Place) {
        let name = place.path + place.name
        // More names than a person would read are left out.
        guard names[finding, default: []].count < 100, names[finding]?.contains(name) != true
        else { return }
        names[finding, default: []].append(name)
    }
}

// MARK: Channel and category

extension ElementCheck {
    /// The channel and the category of an AReq, and the category that an RReq repeats.
    struct Claims {
        let channel: DeviceChannel?
        let category: MessageCategory?

        init(_ type: MessageType, _ members: [JSONValue.Member]) {
            channel =
                type == .areq
                ? members.code(of: "deviceChannel").flatMap(DeviceChannel.init) : nil
            category =
                type == .areq || type == .rreq
                ? members.code(of: "messageCategory").flatMap(MessageCategory.init) : nil
        }
    }

    private mutating func check(
        _ claims: Claims,
        _ category: MessageCategory?,
        in members: [JSONValue.Member]
    ) {
        guard type == .areq || type == .rreq else { return }
        if claims.category != category || !isProcessed(category, among: reader.categories) {
            refuse("messageCategory", in: members)
        }
        if type == .areq, !isProcessed(claims.channel, among: reader.channels) {
            refuse("deviceChannel", in: members)
        }
    }

    /// Directory servers can agree more values, for which the table has no rules.
    private func isProcessed<Kind: Equatable>(_ kind: Kind?, among kinds: [Kind]) -> Bool {
        kind.map { kinds.contains($0) } ?? false
    }

    /// A missing or a reserved value has its own error.
    private mutating func refuse(_ name: String, in members: [JSONValue.Member]) {
        guard let value = members.value(of: name), !value.isEmpty,
            names[.reserved]?.contains(name) != true
        else { return }
        note(.invalid, Place(path: "", name: name))
    }
}

// MARK: Presence

extension ElementCheck {
    private mutating func check(
        _ members: [JSONValue.Member],
        _ rows: ElementRows,
        below path: String
    ) {
        let scope = Scope(members, rows, facts: facts, receiver: reader.receiver)
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
        for (currency, exponent) in rows.currencies {
            checkExponent(exponent, of: currency, rows, in: scope, below: path)
        }
    }

    /// An exponent must be that of its currency.
    private mutating func checkExponent(
        _ exponent: Int,
        of currency: Int,
        _ rows: ElementRows,
        in scope: Scope,
        below path: String
    ) {
        // A wrong form is another error.
        guard let code = scope[currency]?.text.flatMap(NumericCurrency.init),
            let text = scope[exponent]?.text, let digits = Int(text), digits != code.exponent,
            presence(of: rows.rows[currency]) != nil
        else { return }
        for place in [currency, exponent] {
            note(.noISOCode, Place(path: path, name: rows.rows[place].name))
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
            checkRepetition(elements, place)
            guard counts.contains(elements.count), !exceeds(maximum, value) else {
                note(.invalid, place)
                return
            }
            for value in elements { check(value, element, place) }
        case (.choices(let counts, let keyLength), .array(let elements)):
            checkRepetition(elements, place)
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

    /// Version 2.3.1 calls an element of an array that equals an earlier one repeated.
    ///
    /// Arrays without a row belong to other parties, and can contain equal elements.
    private mutating func checkRepetition(_ elements: [JSONValue], _ place: Place) {
        guard version >= .twoThree, elements.count > 1 else { return }
        var seen: Set<[UInt8]> = []
        let isRepeated = elements.contains { element in
            // An element with a repeated member has an error of its own.
            (try? element.written()).map { !seen.insert($0).inserted } == true
        }
        if isRepeated { note(.repeated, place) }
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
