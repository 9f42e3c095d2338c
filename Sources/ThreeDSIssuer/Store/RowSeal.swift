import Cryptography
import Sealing
import Storage
import StrictJSON
import Transactions

/// Seals the contents of rows, and opens them.
///
/// The key of a content is derived from its table and from all other columns.
struct RowSeal: Sendable {
    let keys: KeyRing

    func sealed(
        _ content: some Encodable,
        for row: RowIdentity
    ) throws(StoreFailure) -> SQLValue {
        let bytes = try orMisuse(StrictJSON.encode(content))
        return try sealed(bytes.span, for: row)
    }

    func sealed(_ bytes: Span<UInt8>, for row: RowIdentity) throws(StoreFailure) -> SQLValue {
        do throws(KeyEncryptionKeys.Failure) {
            return .bytes(try keys.seal(bytes, for: row.owner).stored)
        } catch {
            throw StoreFailure(error, row)
        }
    }

    func opened<Content: Decodable>(
        _ value: SQLValue,
        of row: RowIdentity
    ) throws(StoreFailure) -> Content {
        let bytes = try content(value, of: row)
        do throws(StrictJSON.Failure) {
            return try StrictJSON.decode(from: bytes, limits: Self.limits)
        } catch {
            throw .damaged
        }
    }

    /// A secret, such as a key.
    func opened(_ value: SQLValue, of row: RowIdentity) throws(StoreFailure) -> SecureBytes {
        let sealed = try sealedValue(value, of: row)
        do throws(KeyEncryptionKeys.Failure) {
            return try keys.keys(opening: sealed).open(sealed, for: row.owner)
        } catch {
            throw StoreFailure(error, row)
        }
    }

    /// Content that is not a secret, in ordinary memory.
    func content(_ value: SQLValue, of row: RowIdentity) throws(StoreFailure) -> [UInt8] {
        let sealed = try sealedValue(value, of: row)
        do throws(KeyEncryptionKeys.Failure) {
            return try keys.keys(opening: sealed).openContent(sealed, for: row.owner)
        } catch {
            throw StoreFailure(error, row)
        }
    }

    private func sealedValue(
        _ value: SQLValue,
        of row: RowIdentity
    ) throws(StoreFailure) -> SealedValue {
        guard let sealed = SealedValue(stored: try value.bytes) else {
            throw .forged(row: row.description)
        }
        return sealed
    }

    /// Far more than each content in JSON has.
    private static let limits = StrictJSON.Limits(byteCount: 4 << 20, depth: 16, valueCount: 4096)
}

/// A row, by its table and by the columns to which its content is bound.
struct RowIdentity: CustomStringConvertible {
    /// As the bytes of the identity name it.
    enum Kind: String {
        case secret = "countersign-acs secret"
        case card = "countersign-acs card"
        case authentication = "countersign-acs authentication"
        case response = "countersign-acs response"
        case check = "countersign-acs check"
        case notification = "countersign-acs notification"
        case channelKey = "countersign-acs channel key"
    }

    let owner: SealOwner
    private let kind: Kind
    private let name: String

    /// `name` is shown if the row is not authentic; `columns` are all others, in their order.
    init(_ kind: Kind, _ name: String, _ columns: [SQLValue] = []) {
        (self.kind, self.name) = (kind, name)
        var writer = FieldWriter()
        writer.append(kind.rawValue)
        writer.append(name)
        for column in columns { writer.append(column: column) }
        owner = SealOwner(bytes: writer.bytes)
    }

    var description: String { "\(kind.rawValue.dropFirst("countersign-acs ".count)) \(name)" }
}

extension FieldWriter {
    /// No two values have the same bytes.
    fileprivate mutating func append(column: SQLValue) {
        switch column {
        case .null: append(UInt8(0))
        case .integer(let number):
            append(UInt8(1))
            append(UInt64(bitPattern: number))
        case .text(let text):
            append(UInt8(2))
            append(text)
        case .bytes(let bytes), .malformedText(let bytes):
            append(UInt8(3))
            append(bytes)
        }
    }
}

extension StoreFailure {
    fileprivate init(_ failure: KeyEncryptionKeys.Failure, _ row: RowIdentity) {
        switch failure {
        case .keyMissing(let version): self = .missingKey(version: version)
        case .notAuthentic: self = .forged(row: row.description)
        case .system(let failure): self = .system(failure)
        }
    }
}
