package import OneTimePassword
import StrictJSON

/// Test vectors in the format that Vectors/README.md describes.
package struct VectorFile: Sendable {
    package struct Failure: Error, Equatable, Sendable {
        /// The row that is malformed, counted from 1; nil where it is the file.
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

    package init(reading bytes: [UInt8]) throws(Failure) {
        let document: Document
        do throws(VectorCase.Malformed) {
            document = try Document(reading: bytes)
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

    /// The rows, counted from 1 as people count them.
    package var rows: ClosedRange<Int> { 1...cases.count }

    /// Whether the row comes out as the file says.
    ///
    /// Throws where the machine fails, which is neither an answer nor a refusal.
    package func passes(row: Int) async throws(SystemFailure) -> Bool {
        let expectation = cases[row - 1]
        return try await vectorType.outcome(of: expectation) == expectation.expected
    }
}
