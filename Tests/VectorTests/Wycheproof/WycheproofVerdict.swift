import Cryptography
import Foundation
import Testing
import VectorTesting

/// How a row is checked, whatever it expects.
enum WycheproofScope {
    case checked
    /// This package does not support the size or form: the row must be refused.
    case refusedByPolicy
    /// It would take too long.
    case notRun
}

/// The results of the rows of one file.
struct WycheproofVerdict {
    private(set) var checkedCount = 0
    private(set) var refusedByPolicyCount = 0
    private(set) var notRunCount = 0
    private(set) var problems: [String] = []

    /// Calls `accepts` for every row.
    ///
    /// It returns whether the input is accepted and the output, if any, is correct.
    init<Parameters, Fields>(
        on file: WycheproofFile<Parameters, Fields>,
        scope: (Parameters, Fields) -> WycheproofScope,
        accepts: (Parameters, Fields) throws(CryptographyFailure) -> Bool
    ) {
        for group in file.testGroups {
            for row in group.tests {
                let problem = verify(
                    row.expectation,
                    scope: scope(group.parameters, row.fields)
                ) { () throws(CryptographyFailure) in try accepts(group.parameters, row.fields) }
                if let problem {
                    problems.append("row \(row.number) (\(row.comment), \(row.flags)): \(problem)")
                }
            }
        }
        if checkedCount + refusedByPolicyCount + notRunCount != file.numberOfTests {
            problems.append("\(file.numberOfTests) rows are announced")
        }
        if checkedCount == 0 { problems.append("no row was checked") }
    }

    private mutating func verify(
        _ expectation: WycheproofExpectation,
        scope: WycheproofScope,
        accepts: () throws(CryptographyFailure) -> Bool
    ) -> String? {
        if scope == .notRun {
            notRunCount += 1
            return nil
        }
        var isAccepted = false
        do throws(CryptographyFailure) {
            isAccepted = try accepts()
        } catch .secureHeap(let refusal) {
            return "there was no memory: \(refusal)"
        } catch {
            isAccepted = false
        }
        if scope == .refusedByPolicy {
            refusedByPolicyCount += 1
            return isAccepted ? "accepted, though no such size or form is" : nil
        }
        checkedCount += 1
        return switch (expectation, isAccepted) {
        case (.valid, false): "valid, but refused"
        case (.invalid, true): "invalid, but accepted"
        case (.valid, true), (.invalid, false), (.acceptable, _): nil
        }
    }
}

/// Checks each row of a file, and prints the count of rows.
func checkWycheproof<Parameters: Decodable, Fields: Decodable>(
    _ name: String,
    scope: (Parameters, Fields) -> WycheproofScope = { _, _ in .checked },
    accepts: (Parameters, Fields) throws(CryptographyFailure) -> Bool
) throws {
    let file = try JSONDecoder().decode(
        WycheproofFile<Parameters, Fields>.self,
        from: try ExtraVectors.read("wycheproof/\(name)")
    )
    let verdict = WycheproofVerdict(on: file, scope: scope, accepts: accepts)
    print(
        "\(name): \(verdict.checkedCount) rows checked,",
        "\(verdict.refusedByPolicyCount) refused by policy, \(verdict.notRunCount) not run"
    )
    for problem in verdict.problems { Issue.record("\(name), \(problem)") }
}
