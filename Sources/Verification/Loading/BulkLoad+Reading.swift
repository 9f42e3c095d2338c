import Cryptography
import FailureTranslation
import Sealing
import Storage
import TransactionApproval

extension BulkLoad {
    /// A source with a hash chain over all rows that were read from it.
    struct Reading<Source: AccountSource>: ~Copyable {
        let source: Source
        private let chain: HMAC
        private var digest: Digest

        init(_ source: Source, _ key: FingerprintKey) throws(LoadFailure) {
            self.source = source
            let chain = try translatingSystemFailure(key.chain(), to: LoadFailure.system)
            digest = try source.heading.withBytes { heading throws(LoadFailure) in
                try translatingSystemFailure(chain.authenticate(heading), to: LoadFailure.system)
            }
            self.chain = chain
        }

        /// Moves to the next row; returns nil at the end.
        mutating func advance() throws(LoadFailure) -> (line: UInt64, digest: Digest)? {
            guard let line = try source.advance() else { return nil }
            digest = try translatingSystemFailure(
                source.withLine { line throws(CryptographyFailure) in
                    try chain.authenticate { input throws(CryptographyFailure) in
                        try digest.withBytes { digest throws(CryptographyFailure) in
                            try input.append(digest)
                        }
                        try input.append(line)
                    }
                },
                to: LoadFailure.system
            )
            return (line, digest)
        }

        /// Skips the rows of an earlier run; fails if they differ.
        mutating func skip(to record: ImportRecord) throws(LoadFailure) {
            guard record.line > 0 else { return }
            while let row = try advance() {
                guard row.line == record.line else { continue }
                guard row.digest.array == record.digest else { throw .differentFile }
                return
            }
            throw .differentFile
        }
    }

    /// Rows that are ready for the store.
    struct Batch: Sendable {
        struct Row: Sendable {
            let line: UInt64
            let digest: Digest
            let content: Result<SealedAccount, RowRefusal>
        }

        var rows: [Row] = []
        var bytesRead = 0
    }

    struct SealedAccount: Sendable {
        let account: AccountReference
        let person: PersonID?
        let token: SealedToken?
    }
}

extension Verifier {
    /// Nil at the end of the source.
    func batch<Source>(
        of count: Int,
        from reading: inout BulkLoad.Reading<Source>
    ) throws(LoadFailure) -> BulkLoad.Batch? {
        var batch = BulkLoad.Batch()
        while batch.rows.count < count, let (line, digest) = try reading.advance() {
            let content: Result<BulkLoad.SealedAccount, RowRefusal>
            switch try reading.source.row() {
            case .failure(let rejection): content = .failure(rejection)
            case .success(let row):
                content = .success(try translating(seal(row), to: LoadFailure.verifier))
            }
            batch.rows.append(BulkLoad.Batch.Row(line: line, digest: digest, content: content))
        }
        batch.bytesRead = reading.source.progress.read
        return batch.rows.isEmpty ? nil : batch
    }

    private func seal(_ row: AccountRow) throws(Failure) -> BulkLoad.SealedAccount {
        BulkLoad.SealedAccount(
            account: row.account,
            person: row.person,
            token: try row.token.map { token throws(Failure) in try seal(token, for: row.account) }
        )
    }
}
