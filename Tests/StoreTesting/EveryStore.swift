import TestSupport
package import Testing
import VerifierWorld

/// Runs each test of a suite on every store that can be had here, one after the other.
package struct EveryStore: SuiteTrait, TestTrait, TestScoping {
    private let isSampled: Bool

    /// A sampled test runs on one of the stores, at random, unless everything is tested.
    package init(sampled: Bool = false) { isSampled = sampled && !Proof.isComplete }

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @Sendable () async throws -> Void
    ) async throws {
        let kinds = StoreKind.installed.shuffled()
        for kind in isSampled ? Array(kinds.prefix(1)) : kinds {
            let naming = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append("on \(kind)")
                return issue
            }
            try await naming.provideScope(for: test, testCase: testCase) {
                try await StoreKind.$current.withValue(kind, operation: body)
            }
        }
    }
}
