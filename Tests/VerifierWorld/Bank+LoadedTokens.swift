import Cryptography
import Foundation
import TransactionApproval

@testable package import Verification

extension Bank {
    /// Loads a file with one token; returns why its row was skipped, or nil.
    package func load(
        _ token: Token,
        of account: AccountReference = account,
        counterIsCurrent: Bool = false
    ) async throws -> String? {
        let load = BulkLoad(
            name: ImportName(checked: UUID().uuidString),
            countersAreCurrent: counterIsCurrent
        )
        var reason: String?
        _ = try await verifier.load(try OneRow(account, token), load, by: Self.core) { step in
            reason = step.rejections.first?.reason
        }
        return reason
    }
}

/// A source with the row of one token, whose text is empty.
private final class OneRow: AccountSource {
    let heading: Digest
    private let content: AccountRow
    private var isRead = false

    init(_ account: AccountReference, _ token: Token) throws {
        heading = try HashAlgorithm.sha256.digest(of: [UInt8]().span)
        content = AccountRow(account: account, person: nil, token: token)
    }

    var progress: (read: Int, of: Int) { (isRead ? 1 : 0, 1) }

    func advance() -> UInt64? {
        guard !isRead else { return nil }
        isRead = true
        return 1
    }

    func withLine<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body([UInt8]().span)
    }

    func row() -> Result<AccountRow, RowRefusal> { .success(content) }
}
