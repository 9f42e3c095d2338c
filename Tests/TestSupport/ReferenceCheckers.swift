import Foundation

/// Programs that others wrote, and Packaging/reference-checkers installs, where PyPI can be reached.
package enum ReferenceCheckers {
    private static let repository = URL(filePath: #filePath).appending(path: "../../..")
        .standardized.path

    /// Where each is told what it is to know.
    static let sources = repository + "/Tests/ReferenceCheckers/"

    package static let areInstalled = FileManager.default.isExecutableFile(
        atPath: program("schemathesis")
    )

    /// What the program in `file` of Tests/ReferenceCheckers says of `input`; fails where it does not come to its end.
    package static func judge(_ file: String, given input: [UInt8]) throws -> String {
        let judgement = try FinishedProcess.run(
            program("python"),
            ["-B", sources + file],
            input: input
        )
        guard judgement.exitCode == 0 else { throw Failure(reason: judgement.errorOutput) }
        return judgement.output
    }

    struct Failure: Error { let reason: String }

    static func program(_ name: String) -> String {
        repository + "/.build/reference-checkers/bin/" + name
    }
}
