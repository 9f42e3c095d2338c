import CReference
import Glibc
import Storage
import Verification

/// Recorded jobs in C structures, which are allocated before the time is measured.
final class CReplay {
    private var texts: [String] = []
    private var bytes: [UnsafeMutableRawPointer] = []
    private var values: [UnsafeMutableBufferPointer<reference_value>] = []
    private var steps: [UnsafeMutableBufferPointer<reference_step>] = []
    private var reading: [reference_job] = []
    private var writing: [reference_job] = []

    init(of jobs: (reading: [RecordedJob], writing: [RecordedJob])) {
        reading = jobs.reading.map(job)
        writing = jobs.writing.map(job)
    }

    deinit {
        for pointer in bytes { pointer.deallocate() }
        for buffer in values { buffer.deallocate() }
        for buffer in steps { buffer.deallocate() }
    }

    /// Runs the jobs on the store at `path` and commits them in groups of `groupSize`.
    ///
    /// With `sharesEnd`, the last step of a job is one of its group, as the head of a verifier's
    /// trail.
    func run(on path: String, groupSize: Int, sharesEnd: Bool = true) throws -> Duration {
        // SQLite numbers `$1` by its first appearance, but `?1` by its number.
        let statements = texts.map { strdup($0.replacing("$", with: "?")) }
        defer { for statement in statements { free(statement) } }
        let store = statements.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            reference_open_store(path, $0.baseAddress, $0.count)
        }
        guard let store else { throw BenchmarkFailure("the statements cannot be prepared") }
        defer { reference_close_store(store) }
        let writing = sharesEnd ? writing(inGroupsOf: groupSize) : self.writing
        let start = ContinuousClock.now
        let isDone = reference_replay(
            store,
            reading,
            reading.count,
            writing,
            writing.count,
            groupSize
        )
        let duration = ContinuousClock.now - start
        guard isDone else {
            throw BenchmarkFailure("SQLite: \(String(cString: reference_store_error(store)))")
        }
        return duration
    }

    /// Only the last job of a group writes the head of the trail, which is its last step.
    private func writing(inGroupsOf size: Int) -> [reference_job] {
        writing.enumerated().map { index, job in
            let isLast = (index + 1).isMultiple(of: size) || index + 1 == writing.count
            return isLast ? job : reference_job(steps: job.steps, count: job.count - 1)
        }
    }

    private func job(_ recorded: RecordedJob) -> reference_job {
        let steps = UnsafeMutableBufferPointer<reference_step>.allocate(capacity: recorded.count)
        for (index, step) in recorded.enumerated() { steps[index] = self.step(step) }
        self.steps.append(steps)
        return reference_job(steps: steps.baseAddress, count: steps.count)
    }

    private func step(_ recorded: RecordedStep) -> reference_step {
        let count = recorded.values.count
        let values = UnsafeMutableBufferPointer<reference_value>.allocate(capacity: count)
        for (index, value) in recorded.values.enumerated() { values[index] = self.value(value) }
        self.values.append(values)
        return reference_step(
            statement: statement(recorded.text),
            values: values.baseAddress,
            count: values.count
        )
    }

    private func statement(_ text: String) -> Int {
        if let index = texts.firstIndex(of: text) { return index }
        texts.append(text)
        return texts.count - 1
    }

    private func value(_ value: SQLValue) -> reference_value {
        switch value {
        case .null: reference_value(kind: REFERENCE_NULL, integer: 0, bytes: nil, count: 0)
        case .integer(let number):
            reference_value(kind: REFERENCE_INTEGER, integer: number, bytes: nil, count: 0)
        case .text(let text): stored(Array(text.utf8), as: REFERENCE_TEXT)
        case .bytes(let bytes), .malformedText(let bytes): stored(bytes, as: REFERENCE_BYTES)
        }
    }

    private func stored(_ content: [UInt8], as kind: reference_kind) -> reference_value {
        let pointer = UnsafeMutableRawPointer.allocate(byteCount: content.count + 1, alignment: 1)
        content.withUnsafeBytes {
            pointer.copyMemory(
                from: $0.baseAddress ?? UnsafeRawPointer(pointer),
                byteCount: $0.count
            )
        }
        bytes.append(pointer)
        return reference_value(kind: kind, integer: 0, bytes: pointer, count: content.count)
    }
}
