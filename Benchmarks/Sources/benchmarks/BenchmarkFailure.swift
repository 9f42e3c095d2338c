/// Programs or files that this machine lacks, so that a benchmark is not measured.
struct NotMeasured: Error {
    let missing: [String]
}

/// Why a benchmark could not be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    /// `cause` names what failed and its unexpected result, if it has one.
    init(_ cause: String, file: String = #fileID, line: Int = #line) {
        description = "\(cause) (\(file):\(line))"
    }
}
