import Cryptography
import StrictJSON

/// The protected header of a token: an object without repeated names.
struct Header: Sendable {
    /// Members that would choose a key, or change the meaning of the token.
    ///
    /// No extension is understood, so `crit` is refused whatever it lists.
    private static let refusedNames = ["crit", "zip", "jwk", "jku", "x5u"]

    private let members: [JSONValue.Member]

    init(_ bytes: [UInt8]) throws(JOSEFailure) {
        let limits = StrictJSON.Limits(byteCount: bytes.count, depth: 4, valueCount: 64)
        let value: JSONValue
        do throws(StrictJSON.Failure) {
            value = try JSONValue(reading: bytes, limits: limits)
        } catch {
            throw .refused
        }
        guard
            case .object(let members) = value, value.isQuicklyCompared,
            !members.contains(where: { Self.refusedNames.contains($0.name) })
        else { throw .refused }
        self.members = members
    }

    subscript(_ name: String) -> JSONValue? { members.value(of: name) }

    /// Nil if there is no such member; refused if it is not a string.
    func text(_ name: String) throws(JOSEFailure) -> String? {
        guard let member = self[name] else { return nil }
        guard let text = member.text else { throw .refused }
        return text
    }

    /// The algorithm that a member names, from a closed list.
    func algorithm<Algorithm: RawRepresentable<String>>(
        _ name: String
    ) throws(JOSEFailure) -> Algorithm {
        guard let text = try text(name), let algorithm = Algorithm(rawValue: text) else {
            throw .refused
        }
        return algorithm
    }

    /// A token that begins with a header of these members.
    ///
    /// It has room for a payload of `byteCount` bytes and the other parts of most tokens.
    static func token(
        _ members: [JSONValue.Member],
        reserving byteCount: Int
    ) throws(JOSEFailure) -> [UInt8] {
        let text = try JSONValue.object(members).writtenText()
        var token: [UInt8] = []
        token.reserveCapacity((text.count + byteCount) * 4 / 3 + 128)
        TextEncoding.base64URL.encode(text.span, appendingTo: &token)
        return token
    }
}

extension JSONValue {
    /// Returns whether no name and no text is long, unless it is in ASCII.
    ///
    /// Swift compares other texts in a time that can grow with the square of their length.
    fileprivate var isQuicklyCompared: Bool {
        func isQuick(_ text: String) -> Bool {
            text.utf8.count <= 256 || text.utf8.allSatisfy { $0 < 0x80 }
        }
        return switch self {
        case .object(let members):
            members.allSatisfy { isQuick($0.name) && $0.value.isQuicklyCompared }
        case .array(let elements): elements.allSatisfy(\.isQuicklyCompared)
        case .string(let text): isQuick(text)
        case .number, .boolean, .null: true
        }
    }

    func writtenText() throws(JOSEFailure) -> [UInt8] {
        do throws(StrictJSON.Unwritable) { return try written() } catch { throw .refused }
    }
}

extension JSONValue.Member {
    static func text(_ name: String, _ text: String) -> JSONValue.Member {
        JSONValue.Member(name: name, value: .string(text))
    }

    static func base64URL(_ name: String, _ bytes: Span<UInt8>) -> JSONValue.Member {
        text(name, TextEncoding.base64URL.encode(bytes))
    }
}
