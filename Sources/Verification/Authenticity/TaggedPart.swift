import Storage

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
    var columns: [[Column]] { layout.columns }

    /// The parts in audit records that the tag also proves.
    var traced: [TracedPart] { layout.traced }

    /// The column of the tag.
    var column: Column { layout.column }

    var table: Table { layout.table }

    /// Computed once, because every read of a row needs it.
    private var layout: Layout { Self.layouts[Int(rawValue)] }

    private static let layouts = [Layout()] + allCases.map { Layout(of: $0) }
}

/// The columns of a tagged part.
private struct Layout: Sendable {
    let traced: [TracedPart]
    let columns: [[Column]]
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
            case .activation: [.activation]
            case .device: [.device, .wait]
            case .notifications: [.notifications]
            case .credential: [.credential]
            case .failures: [.failures]
            case .transaction: [.transaction, .outcome]
            case .login: [.login]
            case .attempt: [.attempt]
            case .bankToken: [.bankToken]
            case .call: [.call]
            case .requestedCall: [.requestedCall]
            }
        columns =
            switch part {
            case .verifier:
                [[.storeID, .epoch, .auditSequence, .auditMoment, .auditHash, .minimumKeyVersion]]
            case .record: [Table.audit.key + Table.audit.values.filter { $0 != .tag }]
            // A claim has no audit record, but its offer names the accounts of the new devices.
            case .activation: traced.map(\.columns) + [[.claimDigest, .claimOffer]]
            default: traced.map(\.columns)
            }
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
