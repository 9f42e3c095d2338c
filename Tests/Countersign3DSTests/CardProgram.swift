import TestSupport

/// The built program, as a process.
enum CardProgram {
    static let path = BuiltProducts.path(of: "countersign-3ds")

    static func run(_ words: [String], input: String = "") throws -> FinishedProcess {
        try FinishedProcess.run(path, words, input: Array(input.utf8))
    }
}
