import Storage
import Transactions

/// The states of rows by the audit records, for a comparison with the rows.
///
/// A writer of the database can remove a row, or put back an earlier content, which is authentic.
/// The records show that it is not the last one.
struct RecordedStates: Sendable {
    /// The parts of a row that have records; empty if there is no row.
    struct State: OptionSet, Sendable {
        let rawValue: UInt8

        static let exists = State(rawValue: 1)
        static let isBlocked = State(rawValue: 2)
        static let isDecided = State(rawValue: 4)
        static let isValueUsed = State(rawValue: 8)
    }

    /// The states that no row was found to have.
    private var states: [IssuerRecord.Subject: State] = [:]
    /// Rows with another state than their records.
    private var different: Set<IssuerRecord.Subject> = []
    /// Subjects with two records of a step that is possible once.
    private var repetitions: Set<IssuerRecord.Subject> = []
    /// The fingerprints of the keys for authentication values, by number.
    private(set) var valueKeys: [UInt8: String] = [:]
    /// Authentications that were made before are no longer kept.
    private let start: Timestamp

    init(from start: Timestamp) {
        self.start = start
    }

    mutating func apply(_ record: IssuerRecord) {
        let subject = record.subject
        switch record.step {
        case .answered: if record.time >= start { states[subject] = .exists }
        case .decided: add(.isDecided, to: subject)
        case .valueUsed: add(.isValueUsed, to: subject)
        case .cardAdded, .cardUnblocked: states[subject] = .exists
        case .cardBlocked: states[subject] = [.exists, .isBlocked]
        case .cardRemoved: states[subject] = []
        case .valueKeyAdded:
            if case .valueKey(let number) = subject { valueKeys[number] = record.details.first }
        case .asked, .reported, .givenUp, .unacknowledged, .sentAgain, .errorReceived, .ended,
            .eventDelivered, .eventGivenUp:
            break
        }
    }

    /// An ACS records such a step once, because the row has the state from then on.
    private mutating func add(_ part: State, to subject: IssuerRecord.Subject) {
        guard let state = states[subject] else { return }
        if state.contains(part) { repetitions.insert(subject) }
        states[subject] = state.union(part)
    }

    mutating func compare(_ page: Page) {
        for (subject, found) in page.rows {
            guard let found, states[subject] != found else {
                states[subject] = nil
                continue
            }
            if states[subject] != nil { different.insert(subject) }
        }
    }

    var repeated: [IssuerRecord.Subject] { repetitions.sorted { $0.text < $1.text } }

    /// Rows that seem to be missing or different, for a comparison with all records.
    var suspects: [IssuerRecord.Subject] {
        different.union(states.filter { !$0.value.isEmpty }.keys).sorted { $0.text < $1.text }
    }

    /// Whether the records state something else about a row.
    func isChanged(_ subject: IssuerRecord.Subject, _ found: State?) -> Bool {
        guard let found, let state = states[subject] else { return false }
        return state != found
    }
}

extension RecordedStates {
    /// Rows in the order of their keys.
    struct Page: Sendable {
        /// With nil for a row that cannot be read, which is another finding.
        private(set) var rows: [(subject: IssuerRecord.Subject, state: State?)] = []
        /// The key of the last row; nil at the end of the table.
        let end: SQLValue?

        init(
            _ found: [Row],
            by key: Column,
            of subject: (String) -> IssuerRecord.Subject?,
            under seal: RowSeal,
            on connection: any SQLConnection,
            reading state: (Row) throws(StoreFailure) -> State
        ) throws(StoreFailure) {
            end = try found.last.map { row throws(StoreFailure) in try row[key] }
            for row in found {
                guard case .text(let name) = try row[key], let subject = subject(name)
                else { continue }
                do throws(StoreFailure) {
                    rows.append((subject, try state(row)))
                } catch {
                    _ = try seal.unreadable(name, after: error, on: connection)
                    rows.append((subject, nil))
                }
            }
        }
    }
}

extension Authentication {
    var recordedState: RecordedStates.State {
        var state = RecordedStates.State.exists
        if challenge?.result != nil { state.insert(.isDecided) }
        if isValueUsed { state.insert(.isValueUsed) }
        return state
    }
}

extension StoredCard {
    var recordedState: RecordedStates.State { card.isBlocked ? [.exists, .isBlocked] : .exists }
}
