import PrivateFiles
import Storage
import Verification

/// One statement with its values that a verifier sent to its store.
struct RecordedStep {
    let text: String
    let values: [SQLValue]
}

/// The statements of one job, in their order.
typealias RecordedJob = [RecordedStep]

/// Records the jobs of a store, so that a reference does exactly the same work.
final class RecordedJobs: Sendable {
    private let jobs = LockedValue<(reading: [RecordedJob], writing: [RecordedJob])>(([], []))

    func addReading(_ job: RecordedJob) { jobs.withLock { $0.reading.append(job) } }

    func addWriting(_ job: RecordedJob) { jobs.withLock { $0.writing.append(job) } }

    /// The jobs since the last call.
    func take() -> (reading: [RecordedJob], writing: [RecordedJob]) {
        jobs.withLock { jobs in
            defer { jobs = ([], []) }
            return jobs
        }
    }
}

/// A store that records its jobs while it runs them.
struct RecordingDatabase: Database {
    let store: any Database
    let recorded: RecordedJobs

    func write<Outcome: Sendable>(
        reading queries: [Query],
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let recorded = recorded
        return try await store.write(reading: queries) { connection throws(StoreFailure) in
            let recorder = RecordingConnection(connection)
            let outcome = try job(recorder)
            // The last step: a store makes it once for all jobs of a commit.
            try recorder.shared?.write(on: recorder)
            recorded.addWriting(recorder.steps)
            return outcome
        }
    }

    func read<Outcome: Sendable>(
        reading queries: [Query],
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let recorded = recorded
        return try await store.read(reading: queries) { connection throws(StoreFailure) in
            let recorder = RecordingConnection(connection)
            let outcome = try job(recorder)
            recorded.addReading(recorder.steps)
            return outcome
        }
    }

    func close() async { await store.close() }
}

private final class RecordingConnection: SQLConnection {
    private let connection: any SQLConnection
    private(set) var steps: RecordedJob = []

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    var shared: (any SharedData)? {
        get { connection.shared }
        set { connection.shared = newValue }
    }

    func run(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Int {
        record(statement, values)
        return try connection.run(statement, values)
    }

    func change(
        _ statement: Statement,
        _ values: [SQLValue],
        rowCount: Int?
    ) throws(StoreFailure) {
        record(statement, values)
        try connection.change(statement, values, rowCount: rowCount)
    }

    func rows(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> [Row] {
        record(statement, values)
        return try connection.rows(statement, values)
    }

    private func record(_ statement: Statement, _ values: [SQLValue]) {
        steps.append(RecordedStep(text: "\(statement.text)", values: values))
    }
}
