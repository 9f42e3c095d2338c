import Cryptography
import Storage
import TransactionApproval

/// A change of a row in an audit record: the row, and digests of its old and new columns.
struct RowTrace {
    let row: TracedRow
    /// Nil if the row did not exist.
    let before: [UInt8]?
    let digest: [UInt8]

    private static let digestByteCount = 32

    /// The form in a record, one after the other.
    static func stored(_ traces: some Collection<RowTrace>) -> [UInt8] {
        var writer = FieldWriter(reserving: 112 * traces.count)
        for trace in traces {
            writer.append(trace.row.name)
            writer.append(trace.before ?? [])
            writer.append(trace.digest)
        }
        return writer.bytes
    }

    /// Returns nil if the bytes are not a list of traces.
    static func read(_ stored: [UInt8]) -> [RowTrace]? {
        var reader = FieldReader(stored)
        var traces: [RowTrace] = []
        while reader.offset < stored.count {
            // `try?`: the record is malformed, whatever is wrong with it.
            guard
                let name = try? reader.field(atMost: TracedRow.maximumBytesInName),
                let row = TracedRow(name: name),
                let before = try? reader.field(atMost: digestByteCount),
                before.isEmpty || before.count == digestByteCount,
                let digest = try? reader.field(atMost: digestByteCount),
                digest.count == digestByteCount
            else { return nil }
            traces.append(RowTrace(row: row, before: before.isEmpty ? nil : before, digest: digest))
        }
        return traces
    }
}

/// Columns of one row that are always written together.
///
/// The numbers, and the order of the columns, are in audit trails and never change.
enum TracedPart: UInt8 {
    case verifier = 1
    case enterprise, account, activation, device
    /// The columns that a credential's own codes change.
    case credential
    /// The wrong codes that a credential counts.
    case failures
    /// The columns of a transaction that never change.
    case transaction
    /// The outcome of a transaction, and before that whether it has a number.
    case outcome
    case login, attempt
    /// The push setting of a device.
    case notifications
    case bankToken, call
    /// Whether an account is a test account.
    case testMark
    /// The approvals by consent alone that an account counts.
    case consents
    /// Whether a device waits after its activation, and the amounts that it approved meanwhile.
    case wait
    case requestedCall
    /// Whether a device is a web browser.
    case webDevice
    /// Whether an activation is for a web browser.
    case webActivation
    /// The source of a transaction.
    case source

    var table: Table {
        switch self {
        case .verifier: .verifier
        case .enterprise: .enterprises
        case .account, .testMark, .consents: .accounts
        case .activation, .webActivation: .activations
        case .device, .notifications, .wait, .webDevice: .devices
        case .credential, .failures: .credentials
        case .transaction, .outcome, .source: .transactions
        case .login: .logins
        case .attempt: .attempts
        case .bankToken: .bankTokens
        case .call: .bankCalls
        case .requestedCall: .requestedCalls
        }
    }

    var columns: [Column] {
        switch self {
        case .verifier: [.epoch]
        case .enterprise: [.policy]
        case .activation: .account + [.issued, .deadline, .state, .closed]
        case .device: .account + [.publicKey, .tokenSuite, .name, .status, .activated]
        case .notifications: [.notifications]
        case .credential:
            [.id, .generation, .counter, .status, .confirmedEpoch, .copyDetected, .countingDevice]
        case .failures:
            [.consecutiveFailures, .consecutiveLocks, .lockedUntil, .blocked, .failureTimes]
        case .transaction:
            .account + [.canonicalBytes, .acceptedAuthentication, .created, .deadline]
        case .outcome: [.state, .closed, .device, .detail, .evidence, .hasNumber]
        case .account: [.person, .mutedUntil, .replacedByType, .replacedByID]
        case .testMark: [.isTest]
        case .consents: [.consents]
        case .wait: [.waits, .waitingAmounts]
        case .webDevice, .webActivation: [.isWeb]
        case .source: [.source]
        case .login, .attempt, .bankToken, .call, .requestedCall:
            table.values.filter { $0 != .tag }
        }
    }

    /// The first values of columns that can be written without a record.
    var initial: [SQLValue]? {
        switch self {
        case .verifier: [.integer(0)]
        case .failures: [.integer(0), .integer(0), .null, .integer(0), .bytes([])]
        case .notifications: [.text("")]
        case .testMark: [.integer(0)]
        case .consents: [.null]
        case .wait: [.null, .null]
        case .webDevice, .webActivation, .source: [.null]
        case .outcome: [.integer(0), .null, .null, .null, .null, .integer(0)]
        case .enterprise, .account, .activation, .device, .credential, .transaction, .login,
            .attempt, .bankToken, .call, .requestedCall:
            nil
        }
    }
}

/// A row of the store, or a part of a row, by its primary key.
struct TracedRow {
    static let maximumBytesInName = 512

    let part: TracedPart
    /// The part and the key.
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

    /// Nil if the name is malformed.
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
    /// SHA-256 of an encoding that is different for different values.
    func traceDigest() throws(StoreFailure) -> [UInt8] {
        var writer = FieldWriter()
        for value in self { writer.append(value) }
        return try translatingSystemFailure(writer.sha256().array, to: StoreFailure.system)
    }
}

extension FieldWriter {
    mutating func append(_ value: SQLValue) {
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
        case .malformedText(let bytes):
            // No verifier writes it, so it must not pass for other bytes.
            append(UInt8(4))
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
