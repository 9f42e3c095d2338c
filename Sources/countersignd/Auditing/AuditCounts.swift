import CommandLineTool
import Storage
import TransactionApproval
import Verification

/// The number of audit records by period and event, and by actor.
struct AuditCounts: Sendable {
    /// The raw values are words of the command line.
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

    /// Sorted by period, then by event.
    var lines: [AuditPage.Count] {
        counts.sorted { $0.key < $1.key }.flatMap { period, kinds in
            kinds.sorted { $0.key < $1.key }.map { kind, count in
                AuditPage.Count(period: period, kind: kind, count: count)
            }
        }
    }
}

extension Actor {
    /// One role for all devices: a list of each of them would be too long.
    fileprivate var role: String { text.hasPrefix("device:") ? "devices" : text }
}
