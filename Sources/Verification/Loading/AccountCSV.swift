package import Cryptography
import FailureTranslation
import Storage

/// Accounts in a private CSV file.
///
/// The first line names the columns. An empty field has no value.
package final class AccountCSV: AccountSource {
    package enum Column: String, CaseIterable, Sendable {
        case enterprise
        case accountType = "account_type"
        case accountID = "account_id"
        case person
        case serial = "token_serial"
        case hexadecimalSecret = "token_secret_hex"
        case base32Secret = "token_secret_base32"
        case algorithm = "token_algorithm"
        case digits = "token_digits"
        case counter = "token_counter"

        static let required = [enterprise, accountType, accountID]
        /// Columns that need a secret in the same row.
        static let tokenDetails = [serial, algorithm, digits, counter]
    }

    private var lines: LineReader
    private var line: UInt64 = 1
    package let heading: Digest
    private let layout: Layout
    private var record = CSVRecord()

    package init(_ path: String) throws(LoadFailure) {
        var lines = try LineReader(path)
        guard try lines.advance() else { throw .header(.absent) }
        // If the header is missing, this line is a row, and may have a secret in it.
        (layout, heading) = try lines.withLine { line throws(LoadFailure) in
            (
                try Layout(line),
                try translatingSystemFailure(
                    HashAlgorithm.sha256.digest(of: line),
                    to: LoadFailure.system
                )
            )
        }
        self.lines = lines
    }

    package var progress: (read: Int, of: Int) { (lines.bytesRead, lines.byteCount) }

    package func advance() throws(LoadFailure) -> UInt64? {
        guard try lines.advance() else { return nil }
        line += 1
        return line
    }

    package func withLine<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try lines.withLine(body)
    }

    package func row() throws(LoadFailure) -> Result<AccountRow, RowRefusal> {
        do throws(RowFailure) {
            return .success(
                try lines.withLine { line throws(RowFailure) in
                    try translating(record.split(line)) { (_: CSVRecord.Failure) in
                        RowFailure.refused(.quoting)
                    }
                    return try layout.row(of: line, record.fields)
                }
            )
        } catch {
            switch error {
            case .refused(let refusal): return .failure(refusal)
            case .system(let failure): throw .system(failure)
            }
        }
    }
}
