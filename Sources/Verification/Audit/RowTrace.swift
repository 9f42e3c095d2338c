import Cryptography
import TransactionApproval

/// What an audit record keeps of a row that was written together with it: which row it is, and
/// digests of what it held until then and holds from then on.
struct RowTrace {
    let row: TracedRow
    /// Nil where the row was not there.
    let before: [UInt8]?
    let digest: [UInt8]

    private static let digestByteCount = 32

    /// As a record holds them, one after the other.
    static func stored(_ traces: some Collection<RowTrace>) -> [UInt8] {
        var writer = FieldWriter(reserving: 112 * traces.count)
        for trace in traces {
            writer.append(trace.row.name)
            writer.append(trace.before ?? [])
            writer.append(trace.digest)
        }
        return writer.bytes
    }

    /// Nil where that is no list of traces.
    static func read(_ stored: [UInt8]) -> [RowTrace]? {
        var reader = FieldReader(stored)
        var traces: [RowTrace] = []
        while reader.offset < stored.count {
            // Why it is none does not matter: the record is none of ours.
            guard
                let name = try? reader.field(atMost: TracedRow.maximumBytesInName),
                let row = TracedRow(name: name),
                let before = try? reader.field(atMost: digestByteCount),
                before.isEmpty || before.count == digestByteCount,
                let digest = try? reader.field(atMost: digestByteCount),
                digest.count == digestByteCount
            else { return nil }
            traces.append(
                RowTrace(row: row, before: before.isEmpty ? nil : before, digest: digest)
            )
        }
        return traces
    }
}

/// Columns of one row that are always written together.
///
/// The numbers are in audit trails, and never change.
enum TracedPart: UInt8 {
    case verifier = 1
    case enterprise, account, activation, device
    /// What of a credential its own codes change.
    case credential
    /// The wrong codes that are counted in a credential's row.
    case failures
    /// What of a transaction never changes.
    case transaction
    /// How a transaction ended, and before that whether a number is asked for.
    case outcome
    case login, attempt
    /// How a device is woken.
    case notifications
    case bankToken, call

    /// What a row begins with that no record tells of, where there is such a thing.
    var initial: [SQLValue]? {
        switch self {
        case .verifier: [.integer(0)]
        case .failures: [.integer(0), .integer(0), .null, .integer(0), .bytes([])]
        case .notifications: [.text("")]
        case .outcome: [.integer(0), .null, .null, .null, .null, .integer(0)]
        case .enterprise, .account, .activation, .device, .credential, .transaction, .login,
            .attempt, .bankToken, .call:
            nil
        }
    }
}

/// A row of the store, or a part of one, by its primary key.
struct TracedRow {
    static let maximumBytesInName = 512

    let part: TracedPart
    /// The part and the key, which can be read again.
    let name: [UInt8]

    init(_ part: TracedPart, _ key: some Collection<SQLValue>) {
        var writer = FieldWriter(reserving: 48)
        writer.append(part.rawValue)
        for value in key { writer.append(value) }
        self.part = part
        name = writer.bytes
    }

    init?(name: [UInt8]) {
        guard let first = name.first, let part = TracedPart(rawValue: first) else { return nil }
        self.part = part
        self.name = name
    }

    /// Nil where the name is none that is made here.
    var key: [SQLValue]? {
        var reader = FieldReader(name)
        var key: [SQLValue] = []
        do throws(FieldReader.Failure) {
            _ = try reader.byte()
            while reader.offset < name.count {
                guard let value = try reader.sqlValue() else { return nil }
                key.append(value)
            }
            return key
        } catch {
            return nil
        }
    }
}

extension Collection<SQLValue> {
    /// SHA-256 of what no other values give.
    func traceDigest() throws(StoreFailure) -> [UInt8] {
        var writer = FieldWriter()
        for value in self { writer.append(value) }
        do throws(CryptographyFailure) {
            return try HashAlgorithm.sha256.digest(of: writer.bytes.span).array
        } catch {
            // A machine that cannot compute a hash cannot keep a trail.
            throw .unavailable
        }
    }
}

extension FieldWriter {
    fileprivate mutating func append(_ value: SQLValue) {
        switch value {
        case .null: append(UInt8(0))
        case .integer(let number):
            append(UInt8(1))
            append(UInt64(bitPattern: number))
        case .text(let text):
            append(UInt8(2))
            append(text)
        case .bytes(let bytes):
            append(UInt8(3))
            append(bytes)
        }
    }
}

extension FieldReader {
    fileprivate mutating func sqlValue() throws(Failure) -> SQLValue? {
        switch try byte() {
        case 0: .null
        case 1: .integer(Int64(bitPattern: try number()))
        case 2: .text(try text(atMost: TracedRow.maximumBytesInName))
        case 3: .bytes(try field(atMost: TracedRow.maximumBytesInName))
        default: nil
        }
    }
}
