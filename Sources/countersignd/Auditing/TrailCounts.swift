import CommandLineTool
import TransactionApproval
import Verification

/// How much of what happened, when, and who caused it.
struct TrailCounts: Sendable {
    /// What a report counts by; the raw values are words of the command line.
    enum Period: String, CaseIterable, ArgumentValue {
        case day, month, year

        /// `2026-11-22`, `2026-11` or `2026`, in UTC.
        func name(of moment: Timestamp) -> String {
            let parts = moment.day.split(separator: "-")
            return switch self {
            case .day: moment.day
            case .month: parts.prefix(2).joined(separator: "-")
            case .year: parts.prefix(1).joined()
            }
        }
    }

    private let period: Period
    private var counts: [String: [String: UInt64]] = [:]
    private(set) var actors: [String: UInt64] = [:]
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?

    init(by period: Period) {
        self.period = period
    }

    mutating func add(_ record: AuditRecord) {
        counts[period.name(of: record.moment), default: [:]][
            record.event.kind.rawValue,
            default: 0
        ] += 1
        actors[record.actor.role, default: 0] += 1
        first = first ?? record.moment
        last = record.moment
    }

    /// By period, and in it by name.
    var lines: [AuditPage.Count] {
        counts.sorted { $0.key < $1.key }.flatMap { period, kinds in
            kinds.sorted { $0.key < $1.key }.map { kind, count in
                AuditPage.Count(period: period, kind: kind, count: count)
            }
        }
    }
}

extension Actor {
    /// Devices are too many to be named.
    fileprivate var role: String { text.hasPrefix("device:") ? "devices" : text }
}

extension Installation {
    private static let recordsAtOnce = 1000

    /// Counts the records up to `last`.
    func counts(
        of store: any Database,
        upTo last: UInt64,
        by period: TrailCounts.Period
    ) async throws(CommandFailure) -> TrailCounts {
        var (counts, read) = (TrailCounts(by: period), UInt64(0))
        while read < last {
            let limit = Int(min(UInt64(Self.recordsAtOnce), last - read))
            let page = try await self.read(store) { [read] ledger throws(StoreFailure) in
                try ledger.auditRecords(after: read, limit: limit)
            }
            guard let end = page.last?.sequence else { break }
            for record in page { counts.add(record) }
            read = end
        }
        return counts
    }
}
