import Cryptography
import Storage
import TransactionApproval

/// Columns of one row that have a tag.
///
/// The numbers are in the tags and never change. Not included are:
/// * sealed values, which are authenticated by themselves;
/// * wrong activation codes, which decide nothing;
/// * the progress of deliveries and imports.
enum TaggedPart: UInt8, CaseIterable {
    case verifier = 1
    case enterprise, account, activation, device
    /// The push setting of a device.
    case notifications
    case credential
    /// The wrong codes that a credential counts.
    case failures
    case transaction, login, attempt, bankToken, call
    /// A record of the audit trail.
    case record
    case requestedCall

    /// The columns that the tag proves; each list has a digest.
    fileprivate var columns: [Columns] { layout.columns }

    /// The parts in audit records that the tag also proves.
    var traced: [TracedPart] { layout.traced }

    /// The column of the tag.
    var column: Column { layout.column }

    var table: Table { layout.table }

    /// Computed once, because every read of a row needs it.
    private var layout: Layout { Self.layouts[Int(rawValue)] }

    private static let layouts = [Layout()] + allCases.map { Layout(of: $0) }
}

/// Columns with one digest.
private struct Columns: Sendable {
    let list: [Column]
    /// Whether they have no digest while all of them are null.
    ///
    /// Earlier versions of the schema had no consents, no wait of a device, no web devices and no
    /// sources. Their tags did not cover claims. So their tags stay valid. A value that is removed or added makes the
    /// tag invalid: no two lists of a part have the same encoding.
    let canBeAbsent: Bool

    init(_ list: [Column]) {
        self.list = list
        canBeAbsent = [.consents, .waits, .claimDigest, .isWeb, .source].contains(list.first)
    }
}

extension TaggedPart {
    /// The digests of all lists, one after the other.
    @inline(__always)
    fileprivate func digests(
        of value: (Column) throws(StoreFailure) -> SQLValue
    ) throws(StoreFailure) -> [UInt8] {
        var digests: [UInt8] = []
        digests.reserveCapacity(columns.count * KnownRow.digestByteCount)
        var writer = FieldWriter(reserving: 512)
        for columns in columns {
            var isAbsent = columns.canBeAbsent
            for column in columns.list {
                let value = try value(column)
                if value != .null { isAbsent = false }
                writer.append(value)
            }
            if !isAbsent {
                let digest = try translatingSystemFailure(
                    writer.sha256(),
                    to: StoreFailure.system
                )
                digest.withBytes { bytes in bytes.withUnsafeBytes { digests += $0 } }
            }
            writer.removeAll()
        }
        return digests
    }
}

extension NamedValues {
    func digests(of part: TaggedPart) throws(StoreFailure) -> [UInt8] {
        try part.digests { column throws(StoreFailure) in try self[column] }
    }
}

extension Row {
    func digests(of part: TaggedPart) throws(StoreFailure) -> [UInt8] {
        try part.digests { column throws(StoreFailure) in
            // Only the existence of a number is proved: the number is sealed.
            guard column == .hasNumber else { return try self[column] }
            return SQLValue(try !isNull(.number))
        }
    }
}

/// The columns of a tagged part.
///
/// A class, so that an access copies one reference.
private final class Layout: Sendable {
    let traced: [TracedPart]
    let columns: [Columns]
    let column: Column
    let table: Table

    /// No part has the number 0.
    init() {
        (traced, columns, column, table) = ([], [], .tag, .verifier)
    }

    init(of part: TaggedPart) {
        traced =
            switch part {
            case .verifier, .record: []
            case .enterprise: [.enterprise]
            case .account: [.account, .testMark, .consents]
            case .activation: [.activation, .webActivation]
            // A web device has its wait too, so each list has the same place in all rows.
            case .device: [.device, .wait, .webDevice]
            case .notifications: [.notifications]
            case .credential: [.credential]
            case .failures: [.failures]
            case .transaction: [.transaction, .outcome, .source]
            case .login: [.login]
            case .attempt: [.attempt]
            case .bankToken: [.bankToken]
            case .call: [.call]
            case .requestedCall: [.requestedCall]
            }
        let columns: [[Column]] =
            switch part {
            case .verifier:
                [[.storeID, .epoch, .auditSequence, .auditMoment, .auditHash, .minimumKeyVersion]]
            case .record: [Table.audit.key + Table.audit.values.filter { $0 != .tag }]
            // A claim has no audit record, but its offer names the accounts of the new devices.
            case .activation: traced.map(\.columns) + [[.claimDigest, .claimOffer]]
            default: traced.map(\.columns)
            }
        self.columns = columns.map { Columns($0) }
        column =
            switch part {
            case .notifications: .notificationsTag
            case .failures: .failuresTag
            default: .tag
            }
        table =
            switch part {
            case .verifier: .verifier
            case .record: .audit
            default: traced[0].table
            }
    }
}
