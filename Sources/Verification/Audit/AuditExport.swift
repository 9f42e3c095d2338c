import Cryptography
import FailureTranslation
package import Storage
package import StrictJSON
package import TransactionApproval

/// The audit trail as JSON, one record per line, in order.
///
/// It contains every valid record, even if the trail is broken: an attacker must not be able to hide
/// later records.
package struct AuditExport: Sendable {
    private static let recordsAtOnce = 500
    /// For one enterprise, whose records are only some of these numbers.
    private static let numbersAtOnce: UInt64 = 2000

    private let store: KeyedStore
    private let end: AuditHead
    private let enterprise: EnterpriseID?
    private let forgeries: ForgeryMonitor?
    /// The number of the last row that was read.
    private var last: UInt64
    /// The last record of the unbroken trail; nil if the record to start after is missing.
    private var head: AuditHead?
    /// The first number whose record is missing or does not follow; nil if there is none.
    ///
    /// For one enterprise it is always nil: its records follow records of others.
    package private(set) var firstBroken: UInt64?
    /// The first record without a valid tag; nil if there is none, or without keys.
    package private(set) var firstForged: UInt64?

    /// Exports the committed records after `sequence`, or only those of one enterprise.
    ///
    /// `forgeries` notes the records that another program wrote.
    package init(
        of store: KeyedStore,
        after sequence: UInt64 = 0,
        concerning enterprise: EnterpriseID? = nil,
        noting forgeries: ForgeryMonitor? = nil
    ) async throws(StoreFailure) {
        self.store = store
        self.enterprise = enterprise
        self.forgeries = forgeries
        last = sequence
        (end, head) = try await store.read { ledger throws(StoreFailure) in
            guard sequence > 0 else { return (try ledger.state().audit, .empty) }
            let row = try ledger.auditRows(after: Int64(clamping: sequence) - 1, limit: 1).first
            let record = row?.record.flatMap { $0.sequence == sequence ? $0 : nil }
            return (try ledger.state().audit, record.map { AuditHead($0) })
        }
        if head == nil, sequence <= end.sequence { firstBroken = sequence }
    }

    /// The next lines, each with its newline; nil at the end.
    ///
    /// For one enterprise the result can be empty before the end. No chain of hashes then shows a record
    /// of another program, so it fails at the first one.
    package mutating func next() async throws(StoreFailure) -> [UInt8]? {
        guard last < end.sequence else { return nil }
        if let enterprise { return try await next(concerning: enterprise) }
        let rows = try await store.scan { [last] ledger throws(StoreFailure) in
            try ledger.auditRows(after: Int64(last), limit: Self.recordsAtOnce)
        }
        var lines: [UInt8] = []
        for row in rows where row.sequence <= end.sequence {
            note(row)
            try follow(row)
            if let record = row.record { lines += try Self.line(of: record) }
        }
        guard let newest = rows.last?.sequence, newest < end.sequence else {
            if let head, head != end { breaks(at: min(head.sequence + 1, end.sequence)) }
            last = end.sequence
            return lines.isEmpty ? nil : lines
        }
        last = UInt64(newest)
        return lines
    }

    private mutating func next(
        concerning enterprise: EnterpriseID
    ) async throws(StoreFailure) -> [UInt8] {
        let newest = min(last + Self.numbersAtOnce, end.sequence)
        let rows = try await store.scan { [last] ledger throws(StoreFailure) in
            try ledger.auditRows(after: last, through: newest, concerning: enterprise)
        }
        var lines: [UInt8] = []
        for row in rows {
            if row.isForged {
                note(row)
                // The lines before it are delivered first.
                guard !lines.isEmpty else { throw .forged(row: row.name) }
                last = UInt64(clamping: row.sequence) - 1
                return lines
            }
            if let record = row.record { lines += try Self.line(of: record) }
        }
        last = newest
        return lines
    }

    private mutating func note(_ row: AuditRow) {
        guard row.isForged else { return }
        forgeries?.note(.forged(row: row.name))
        firstForged = firstForged ?? UInt64(clamping: row.sequence)
    }

    private mutating func follow(_ row: AuditRow) throws(StoreFailure) {
        guard let head, firstBroken == nil else { return }
        guard
            let record = row.record,
            try translatingSystemFailure(head.precedes(record), to: StoreFailure.system)
        else { return breaks(at: head.sequence + 1) }
        self.head = AuditHead(record)
    }

    private mutating func breaks(at sequence: UInt64) {
        firstBroken = firstBroken ?? sequence
    }

    private static func line(of record: AuditRecord) throws(StoreFailure) -> [UInt8] {
        try translating(StrictJSON.encode(record) + [UInt8(ascii: "\n")]) {
            (_: StrictJSON.Unwritable) in StoreFailure.damaged
        }
    }
}

extension AuditRecord {
    /// Parses one line of an export.
    package init(exported line: [UInt8]) throws(StrictJSON.Failure) {
        self = try StrictJSON.decode(from: line)
    }
}
