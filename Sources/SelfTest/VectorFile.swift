import Cryptography
package import OneTimePassword
import StrictJSON

/// Test vectors in the format of Vectors/README.md.
package struct VectorFile: Sendable {
    package struct Failure: Error, Equatable, Sendable {
        /// The malformed row, from 1; nil if the file itself is malformed.
        package let row: Int?
        package let reason: String

        package init(row: Int?, reason: String) {
            self.row = row
            self.reason = reason
        }
    }

    package let type: String
    package let source: String
    private let cases: [VectorCase]
    private let vectorType: VectorType

    init(reading bytes: [UInt8], of types: [VectorType]) throws(Failure) {
        let document: Document
        do throws(VectorCase.Malformed) {
            document = try Document(reading: bytes, of: types)
        } catch {
            throw Failure(row: nil, reason: error.reason)
        }
        var cases: [VectorCase] = []
        for (index, row) in document.rows.enumerated() {
            do throws(VectorCase.Malformed) {
                cases.append(try VectorCase(row, of: document.type))
            } catch {
                throw Failure(row: index + 1, reason: error.reason)
            }
        }
        type = document.type.name
        source = document.source
        self.cases = cases
        vectorType = document.type
    }

    /// The rows, numbered from 1.
    package var rows: ClosedRange<Int> { 1...cases.count }

    /// Returns whether the row has the result that the file expects.
    ///
    /// Throws on a failure of the machine, which is neither a result nor a refusal.
    package func passes(row: Int) async throws(SystemFailure) -> Bool {
        let expectation = cases[row - 1]
        return try await vectorType.outcome(of: expectation) == expectation.expected
    }
}
