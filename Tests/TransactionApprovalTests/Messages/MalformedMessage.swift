import Cryptography
import StrictJSON

/// A message with one fault.
struct MalformedMessage {
    let fault: String
    let text: [UInt8]

    /// Every fault at every place of a message.
    static func all(of sample: MessageSample) throws -> [MalformedMessage] {
        try JSONValue(reading: sample.text, limits: sample.limits).faults(at: "").map {
            MalformedMessage(fault: $0.fault, text: Array($0.text.utf8))
        }
    }
}

/// A changed part of a document, and its fault.
private typealias Fault = (fault: String, text: String)

private let optionalMembers: Set = [
    "/credentials/1/lock", "/nextServerKey", "/nextAgreementKey", "/typedDigits", "/unanswered",
    "/changes/0/deviceName", "/changes/2/account", "/sibling", "/claimDigest",
]

/// Texts in which each letter may be replaced.
private let names: Set = [
    "deviceName", "enterprise", "account", "login", "transaction", "token", "0", "1",
]

/// Members in base64url, in which another letter gives other bytes.
private let binaryMembers: Set = [
    "proof", "claim", "mac", "receipt", "possession", "evidence", "dataDigest", "userSeed",
    "deviceSeed",
    "seed", "blind", "offer", "policy", "transaction", "ephemeralKey", "deviceKey", "nextServerKey",
    "key", "signature", "claimDigest",
]

// MARK: Faults

extension JSONValue {
    /// This part with each possible fault.
    fileprivate func faults(at path: String) -> [Fault] {
        let replaced = [
            "object": "{}", "array": "[]", "string": "\"\"", "number": "7", "boolean": "true",
            "null": "null",
        ].filter { $0.key != kind }.map { (fault: "\(path) is \($0.key)", text: $0.value) }
        return switch self {
        case .object(let members): replaced + Self.faults(of: members, at: path)
        case .array(let elements): replaced + Self.faults(of: elements, at: path)
        case .string(let text): replaced + Self.faults(of: text, at: path)
        case .number(let number): replaced + Self.faults(of: number, at: path)
        case .boolean, .null: replaced
        }
    }

    private static func faults(of members: [Member], at path: String) -> [Fault] {
        let texts = members.map { "\"\($0.name)\":\($0.value.freely)" }
        let unknown = "{" + (texts + ["\"unknown\":1"]).joined(separator: ",") + "}"
        return [("\(path)/unknown", unknown)]
            + members.indices.flatMap { index in
                faults(of: members[index], at: path).map { fault, replacement in
                    var texts = texts
                    texts.replaceSubrange(index...index, with: replacement)
                    return (fault, "{" + texts.joined(separator: ",") + "}")
                }
            }
    }

    /// Faulty values for one member.
    private static func faults(of member: Member, at path: String) -> [(String, [String])] {
        let (name, value) = (member.name, member.value.freely)
        let place = "\(path)/\(name)"
        let missing = optionalMembers.contains(place) ? [] : [("\(place) missing", [String]())]
        return missing + [
            ("\(place) twice", ["\"\(name)\":\(value)", "\"\(name)\":\(value)"]),
            ("\(place) renamed", ["\"\(name)_\":\(value)"]),
            ("\(place) in capitals", ["\"\(name.uppercased())\":\(value)"]),
        ] + member.value.faults(at: place).map { ($0.fault, ["\"\(name)\":\($0.text)"]) }
    }

    private static func faults(of elements: [JSONValue], at path: String) -> [Fault] {
        elements.indices.flatMap { index in
            elements[index].faults(at: "\(path)/\(index)").map { fault, replacement in
                var texts = elements.map(\.freely)
                texts[index] = replacement
                return (fault, "[" + texts.joined(separator: ",") + "]")
            }
        }
    }

    private static func faults(of text: String, at path: String) -> [Fault] {
        // Type and id of an account have the same rule.
        let isAccount = path.contains("/account/")
        let name = isAccount ? "account" : path.split(separator: "/").last.map(String.init) ?? ""
        // The device reads displayed bytes in a later step.
        let isShown = path == "/transaction" && text.utf8.count >= 32
        let wrong = wrongTexts(text, named: name).filter { wrong in
            wrong != text && !(isShown && (try? TextEncoding.base64URL.decode(wrong)) != nil)
        }
        let asText = wrong.map { ("\(path) as \($0.prefix(99))", JSONValue.string($0).freely) }
        return UInt64(text) == nil ? asText : asText + [("\(path) as number", text)]
    }

    private static func wrongTexts(_ text: String, named name: String) -> [String] {
        let long = text + String(repeating: "A", count: 2000)
        // Only the length of a title is checked.
        guard name != "title" else { return [long] }
        let forAll = [
            "", long, text + "\u{200B}", "\u{202E}" + text, text + "\n", " " + text, text + " ",
            text + "\u{1}",
        ]
        if names.contains(name), text.utf8.count < 32 { return forAll }
        let strange = ["*", "+", "/", "é", "=", "\u{661}"]
        let ofOtherAlphabets =
            strange.map { "\($0)\(text.dropFirst())" } + strange.map { "\(text.dropLast())\($0)" }
        let padded = [text + "=", text + "==", text + "A"]
        let inOtherCase =
            binaryMembers.contains(name) ? [] : [text.uppercased(), text.lowercased()]
        let ofOtherLength =
            UInt64(text) == nil ? [String(text.dropLast())] : ["0" + text, "+" + text]
        return forAll + ofOtherAlphabets + padded + inOtherCase + ofOtherLength
    }

    private static func faults(of number: JSONNumber, at path: String) -> [Fault] {
        [
            "\"\(number.text)\"", "-\(number.text)", "\(number.text).0", "\(number.text)e0", "-0",
            "9007199254740992", "99999999999999999999",
        ].map { ("\(path) as \($0)", $0) }
    }
}

// MARK: JSON without rules

extension JSONValue {
    private var kind: String {
        switch self {
        case .object: "object"
        case .array: "array"
        case .string: "string"
        case .number: "number"
        case .boolean: "boolean"
        case .null: "null"
        }
    }

    /// This as text, with repeated names too.
    private var freely: String {
        switch self {
        case .object(let members):
            "{" + members.map { "\"\($0.name)\":\($0.value.freely)" }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.freely).joined(separator: ",") + "]"
        case .string(let text):
            "\"" + text.map { $0 == "\n" ? "\\n" : $0 == "\u{1}" ? "\\u0001" : "\($0)" }.joined()
                + "\""
        case .number(let number): number.text
        case .boolean(let boolean): "\(boolean)"
        case .null: "null"
        }
    }
}
