import StrictJSON
import Testing

@testable import ThreeDSProtocol

/// A message that each reader accepts, with every element that it may have.
struct SampleMessage: CustomTestStringConvertible {
    let type: MessageType
    let version: ProtocolVersion
    let receiver: Component
    /// The values of earlier messages; nil for the first message of a transaction.
    let facts: [String: [String]]?
    let members: [JSONValue.Member]
    let testDescription: String

    static let ids = [
        "threeDSServerTransID": "8a880dc0-d2d2-4067-bcb1-b08d1690b26e",
        "acsTransID": "d7c1ee99-9478-44a6-b1f2-391e29c6b340",
        "dsTransID": "4317fdc3-ad24-5443-8000-000000000891",
        "sdkTransID": "b2385523-a66c-4907-ac3c-91848e8c0067",
    ]

    init(
        _ type: MessageType,
        _ version: ProtocolVersion,
        to receiver: Component,
        on channel: DeviceChannel? = nil,
        for category: MessageCategory = .payment,
        _ values: [String: String] = [:],
        without omitted: Set<String> = [],
        after earlier: [String: [String]] = [:]
    ) {
        self.type = type
        self.version = version
        self.receiver = receiver
        var facts: [String: [String]]? = type == .pres ? [:] : nil
        if type != .areq, let channel {
            facts = earlier.merging(
                ["deviceChannel": [channel.rawValue], "messageCategory": [category.rawValue]]
            ) { first, _ in first }
        }
        self.facts = facts
        let fixed = values.merging([
            "messageType": type.rawValue, "messageVersion": version.rawValue,
            "deviceChannel": channel?.rawValue ?? "01", "messageCategory": category.rawValue,
            "purchaseExponent": "2", "recurringExponent": "2",
        ]) { first, _ in first }.merging(Self.ids) { first, _ in first }
        let builder = Builder(
            rows: FieldTable.rows(of: type, in: version).rows,
            omitted: omitted,
            type: type,
            version: version,
            channel: channel,
            category: category,
            values: fixed
        )
        members = builder.members(receiver, Self.facts(facts, version))
        testDescription =
            "\(type.rawValue) \(version.rawValue) to \(receiver.rawValue), "
            + "\(channel?.rawValue ?? "") \(category.rawValue) \(values) -\(omitted) \(earlier)"
    }

    var context: MessageContext {
        guard let facts = Self.facts(facts, version) else { return .first }
        return type == .pres ? .preparation(version, facts.ids) : .transaction(facts)
    }

    static func facts(
        _ values: [String: [String]]?,
        _ version: ProtocolVersion
    ) -> TransactionFacts? {
        guard let values else { return nil }
        var known = TransactionIDs()
        known.server = ids["threeDSServerTransID"]
        known.acs = ids["acsTransID"]
        known.directory = ids["dsTransID"]
        known.sdk = ids["sdkTransID"]
        var facts = TransactionFacts(version: version, ids: known)
        for (name, texts) in values { facts.add(name, texts) }
        return facts
    }
}

/// Takes every element whose condition holds, until nothing changes.
private struct Builder {
    let rows: [Field]
    let omitted: Set<String>
    let type: MessageType
    let version: ProtocolVersion
    let channel: DeviceChannel?
    let category: MessageCategory
    let values: [String: String]

    func members(_ receiver: Component, _ facts: TransactionFacts?) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        for _ in 0..<6 {
            let scope = Scope(members, ElementRows(rows), facts: facts, receiver: receiver)
            members = rows.filter { isIn($0, scope) }.map { row in
                let value = values[row.name].map { text($0, in: row.form) }
                return .init(name: row.name, value: value ?? row.form.sample(in: version))
            }
        }
        return members
    }

    private func text(_ text: String, in form: Form) -> JSONValue {
        if case .array = form { .array([.string(text)]) } else { .string(text) }
    }

    private func isIn(_ row: Field, _ scope: Scope) -> Bool {
        guard !omitted.contains(row.name) else { return false }
        return row.uses.contains { use in
            guard use.messages.contains(type), use.categories.contains(category),
                channel.map({ use.channels.contains($0) }) ?? true
            else { return false }
            return switch use.presence {
            case .required, .optional, .requiredIf: true
            case .conditional(let condition): condition.holds(in: scope) == true
            case .allowedIf(let condition): condition.holds(in: scope) == true
            }
        }
    }
}

extension Form {
    /// The shortest permitted value.
    func sample(in version: ProtocolVersion) -> JSONValue {
        switch self {
        case .text(let length): .string(String(repeating: "x", count: length.lowerBound))
        case .digits(let length): .string(String(repeating: "1", count: length.lowerBound))
        case .number(let range, let length):
            .string(Self.padded(range.lowerBound, to: length.lowerBound))
        case .code(let code): .string(code.values.first ?? "")
        case .boolean, .alwaysTrue: .boolean(true)
        case .uuid: .string("2f37539c-d82e-4929-88db-2f9e72c7fa62")
        case .url, .statedURL, .secureURL: .string("https://shop.example/")
        case .appURL: .string("shop://back")
        case .mailbox: .string("a@b")
        case .ipAddress: .string("192.0.2.1")
        case .date(.yearAndMonth): .string("3012")
        case .date(.day): .string("20261122")
        case .date(.minute): .string("202611221805")
        case .date(.second): .string("20261122180511")
        case .timeZoneOffset: .string("-60")
        case .base64URL(let length): .string(String(repeating: "A", count: length.lowerBound))
        case .authenticationValue: .string(String(repeating: "A", count: 27) + "=")
        case .compactJWS: .string("a.b.c")
        case .version: .string("2.2.0")
        case .currency: .string("978")
        case .country: .string("276")
        case .cardNumber: .string("4242424242424242")
        case .object(let rows, _): Self.object(rows[version], version)
        case .anyObject: .object([.init(name: "a", value: .string("b"))])
        case .textOrObject: .string("x")
        case .array(let element, _, _): .array([element.sample(in: version)])
        case .choices: .array([.object([.init(name: "a", value: .string("b"))])])
        case .dropped: .string("123")
        }
    }

    private static func object(_ rows: ElementRows, _ version: ProtocolVersion) -> JSONValue {
        .object(
            rows.rows.map { row in
                // An extension that is not critical, and a currency with its exponent.
                let value: JSONValue? =
                    switch row.name {
                    case "criticalityIndicator": .boolean(false)
                    case "merchantExponent": .string("2")
                    default: nil
                    }
                return .init(name: row.name, value: value ?? row.form.sample(in: version))
            }
        )
    }

    private static func padded(_ number: Int, to count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}

extension JSONValue {
    /// Written even if names are repeated.
    var document: String {
        switch self {
        case .object(let members):
            "{"
                + members.map { JSONValue.string($0.name).document + ":" + $0.value.document }
                .joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.document).joined(separator: ",") + "]"
        default: (try? String(decoding: written(), as: UTF8.self)) ?? ""
        }
    }
}

extension [JSONValue.Member] {
    var document: String { JSONValue.object(self).document }
}

extension ElementRows {
    var names: Set<String> { Set(rows.map(\.name)) }
}
