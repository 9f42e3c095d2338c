import Foundation
package import Testing

/// Independent programs from PyPI, installed by Packaging/reference-checkers if PyPI is available.
package enum ReferenceCheckers {
    private static let repository = URL(filePath: #filePath).appending(path: "../../..")
        .standardized.path

    /// The folder of their scripts and settings.
    package static let sources = repository + "/Tests/ReferenceCheckers/"

    package static let areInstalled = ["schemathesis", "openapi-generator-cli"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: program($0))
    }

    /// The output of the script `file` of Tests/ReferenceCheckers for `input`; throws if it fails.
    package static func check(
        _ file: String,
        given input: [UInt8],
        _ arguments: [String] = []
    ) throws -> String {
        let check = try FinishedProcess.run(
            program("python"),
            ["-B", sources + file] + arguments,
            input: input
        )
        guard check.exitCode == 0 else {
            throw Failure(reason: check.output + check.errorOutput)
        }
        return check.output
    }

    struct Failure: Error { let reason: String }

    static func program(_ name: String) -> String {
        repository + "/.build/reference-checkers/bin/" + name
    }
}

extension Trait where Self == ConditionTrait {
    /// The test uses independent programs from PyPI.
    package static var needsReferenceCheckers: Self {
        .enabled(if: ReferenceCheckers.areInstalled, "the programs from PyPI are not installed")
    }
}
