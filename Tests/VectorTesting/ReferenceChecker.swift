import Foundation
package import TestSupport

/// A program in Python that computes vectors from the documentation alone.
package enum ReferenceChecker {
    package static func check(_ files: [String]) throws -> FinishedProcess {
        let program = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../VectorTests/ReferenceChecker/reference_checker.py")
            .standardized.path
        return try FinishedProcess.run("/usr/bin/python3", [program] + files)
    }
}
