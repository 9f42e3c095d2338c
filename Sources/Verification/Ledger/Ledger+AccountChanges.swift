import Storage
import TransactionApproval

extension Ledger {
    /// The newest records that a device shows, newest first, and only the last one of each kind for a
    /// subject.
    ///
    /// These are changes after its activation that the device neither made nor is the subject of.
    /// Otherwise a thief could hide a new device behind many changes of its PIN, or behind many issued
    /// codes. Linked accounts
    /// contribute the changes that concern the whole person.
    func accountChanges(
        shownOn device: Device,
        limit: Int
    ) throws(StoreFailure) -> [AuditRecord] {
        guard let account = try account(device.account) else { throw .damaged }
        var found: [UInt64: AuditRecord] = [:]
        for reference in try allAccounts(of: account).map(\.reference) {
            let isOwn = reference == device.account
            let conditions: [SQLValue] = [
                SQLValue(device.activated), .text(Actor.device(device.id).text),
                .text(device.id.description), SQLValue(limit),
            ]
            let other = [SQLValue(reference.enterprise), .text(reference.key.description)]
            let records =
                try auditRecords(
                    isOwn ? Self.selectOfAccount : Self.selectOfLinked,
                    .account(reference) + conditions
                ) { $0.account == reference }
                + auditRecords(
                    isOwn ? Self.selectMerging : Self.selectMergingLinked,
                    other + conditions
                ) {
                    $0.concern?.enterprise == reference.enterprise
                        && $0.subject == reference.key.description
                }
            for record in records { found[record.sequence] = record }
        }
        return Array(found.values.sorted { $0.sequence > $1.sequence }.prefix(limit))
    }

    /// As a device shows it; nil if it does not.
    func accountChange(
        _ record: AuditRecord,
        of account: AccountReference
    ) throws(StoreFailure) -> AccountChangesExchange.Change? {
        guard let kind = record.event.kind.accountChange else { return nil }
        let (subject, moment) = (record.event.subject, record.moment)
        let concerned = record.event.account
        if let concerned, concerned != account, subject != account.key.description {
            // The subject of a replacement is the account that replaced the concerned one.
            let successor = kind == .accountReplaced ? AccountKey(subject) : nil
            return .init(kind, at: moment, on: nil, of: successor ?? concerned.key)
        }
        for device in try devices(of: account) {
            if device.id.description == subject {
                return .init(kind, at: moment, on: DeviceName(device.name))
            }
            for state in try credentialStates(on: device.id)
            where state.credential.id.description == subject {
                // A PIN changes the user credential only.
                guard kind != .pinChanged || state.credential.kind == .user else { return nil }
                return .init(kind, at: moment, on: DeviceName(device.name))
            }
        }
        return .init(kind, at: moment, on: nil)
    }

    private static let selectOfAccount = selectOfAccount(and: Schema.isAccountChange)
    private static let selectOfLinked = selectOfAccount(and: Schema.isChangeOfPerson)
    private static let selectMerging = selectMerging(and: Schema.isMergedAccount)
    private static let selectMergingLinked = selectMerging(and: Schema.isChangeOfPerson)

    private static func selectOfAccount(and condition: StaticString) -> Statement {
        Statement(
            """
            SELECT \(Table.audit.columns) FROM audit
            WHERE sequence IN (
                SELECT max(sequence) FROM audit
                WHERE enterprise = $1 AND account_type = $2 AND account_id = $3
                    AND \(condition: Schema.isAccountChange) AND \(condition: condition)
                    AND moment > $4 AND actor <> $5 AND subject <> $6
                GROUP BY kind, CASE kind WHEN 'activation.issued' THEN '' ELSE subject END
            )
            ORDER BY sequence DESC LIMIT $7
            """
        )
    }

    private static func selectMerging(and condition: StaticString) -> Statement {
        Statement(
            """
            SELECT \(Table.audit.columns) FROM audit
            WHERE sequence IN (
                SELECT max(sequence) FROM audit
                WHERE enterprise = $1 AND subject = $2
                    AND \(condition: Schema.isMergedAccount) AND \(condition: condition)
                    AND moment > $3 AND actor <> $4 AND subject <> $5
                GROUP BY kind, subject
            )
            ORDER BY sequence DESC LIMIT $6
            """
        )
    }
}

extension Event.Kind {
    fileprivate var accountChange: AccountChangeKind? {
        switch self {
        case .activationIssued: .activationIssued
        case .deviceActivated, .tokenAdded: .deviceActivated
        case .deviceRevoked: .deviceRevoked
        case .accountsLinked: .accountLinked
        case .accountReplaced: .accountReplaced
        case .credentialRekeyed: .pinChanged
        case .credentialLocked, .credentialBlocked: .locked
        default: nil
        }
    }
}
