package import Cryptography
import FailureTranslation
import Glibc
import OneTimePassword
import OneTimePasswordFormats
import PrivateFiles
package import Sealing
package import TransactionApproval

/// Tokens in a PSKC document (RFC 6030); each key's user is the account.
package final class AccountPSKC: AccountSource {
    private static let maximumBytes = 4 << 20

    private let keys: [PSKCDocument.Key]
    package let heading: Digest
    private let byteCount: Int
    private let enterprise: EnterpriseID
    private let type: AccountType
    private var count = 0

    /// The secret that decrypts encrypted values.
    package enum Unlock: Sendable {
        case nothing
        /// In hexadecimal.
        case preSharedKey(KeyFile.Source)
        case password(KeyFile.Source)
    }

    /// PSKC has no enterprise and no account type, so all keys of a document get these.
    package init(
        _ path: String,
        unlockedBy unlock: Unlock = .nothing,
        enterprise: EnterpriseID,
        type: AccountType
    ) throws(LoadFailure) {
        let key = try unlock.opened()
        var bytes = try Self.bytes(in: path)
        // The caller must wipe the document; it is too large for locked memory.
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        heading = try translatingSystemFailure(
            HashAlgorithm.sha256.digest(of: bytes.span),
            to: LoadFailure.system
        )
        keys = try translating(
            PSKCDocument(reading: bytes.span, unlockedBy: key).keys,
            to: LoadFailure.document
        )
        guard !keys.isEmpty else { throw .noKeys }
        byteCount = bytes.count
        self.enterprise = enterprise
        self.type = type
    }

    private static func bytes(in path: String) throws(LoadFailure) -> [UInt8] {
        let file = try translating(PrivateFile(path, for: .reading), to: LoadFailure.file)
        let byteCount = try translating(file.descriptor.byteCount(), to: LoadFailure.file)
        // A document that is too large is not read, so it does not have to be wiped.
        guard byteCount <= maximumBytes else { throw .documentTooLarge }
        return try translating(
            file.descriptor.bytes(at: 0, atMost: byteCount),
            to: LoadFailure.file
        )
    }

    package var progress: (read: Int, of: Int) { (byteCount * count / keys.count, byteCount) }

    package func advance() throws(LoadFailure) -> UInt64? {
        guard count < keys.count else { return nil }
        count += 1
        return UInt64(count)
    }

    /// Empty: the heading is a digest of the whole document.
    package func withLine<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let nothing: [UInt8] = []
        return try body(nothing.span)
    }

    package func row() throws(LoadFailure) -> Result<AccountRow, RowRefusal> {
        do throws(RowRefusal) {
            return .success(try row(of: keys[count - 1]))
        } catch .key(.system(let failure)), .key(.secret(.system(let failure))) {
            throw .system(failure)
        } catch {
            return .failure(error)
        }
    }

    private func row(of key: PSKCDocument.Key) throws(RowRefusal) -> AccountRow {
        guard let id = (key.userID ?? key.device.userID).flatMap({ AccountID($0) }) else {
            throw .accountID
        }
        let imported = try translating(ImportedKey(key), to: RowRefusal.key)
        let (suite, counter) = try suite(of: imported)
        guard let serial = (key.device.serialNumber ?? key.id).flatMap({ DeviceName($0) }) else {
            throw .serial
        }
        guard
            let token = Token(
                serial: serial,
                suite: suite,
                secret: imported.secret,
                counter: counter
            )
        else { throw .counter }
        return AccountRow(
            account: AccountReference(enterprise: enterprise, key: AccountKey(type: type, id: id)),
            person: nil,
            token: token
        )
    }

    private func suite(of key: ImportedKey) throws(RowRefusal) -> (TokenSuite, Counter) {
        guard
            key.policy.startDate == nil, key.policy.expiryDate == nil,
            key.policy.numberOfTransactions == nil,
            key.device.startDate == nil, key.device.expiryDate == nil
        else { throw .limitedUse }
        switch key.kind {
        case .hotp(let digits, let algorithm, let counter):
            return (TokenSuite(algorithm: algorithm, digits: digits), counter)
        case .totp: throw .timeBased
        case .ocra: throw .algorithm
        }
    }
}

private func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    explicit_bzero(start, bytes.count)
}

extension AccountPSKC.Unlock {
    fileprivate func opened() throws(LoadFailure) -> PSKCDocument.Unlock {
        switch self {
        case .nothing: .nothing
        case .preSharedKey(let source):
            .preSharedKey(try secret(in: source, TextEncoding.hexadecimal.decode(secret:)))
        case .password(let source): .password(try secret(in: source, SecureBytes.init(copying:)))
        }
    }

    /// The only line of a file, decoded by `read`.
    private func secret(
        in source: KeyFile.Source,
        _ read: (Span<UInt8>) throws(CryptographyFailure) -> SecureBytes
    ) throws(LoadFailure) -> SecretBytes {
        let text = try translating(KeyFile.text(in: source), to: LoadFailure.key)
        let bytes = try text.withBytes { text throws(LoadFailure) in
            let end = text.indices.first { text[$0] == KeyFile.newline } ?? text.count
            guard end > 0 else { throw .key(.empty) }
            guard end >= text.count - 1 else { throw .key(.malformedLine(2)) }
            return try translating(read(text.extracting(first: end))) {
                (failure: CryptographyFailure) in LoadFailure.key(.init(failure, line: 1))
            }
        }
        return try bytes.withBytes { bytes throws(LoadFailure) in
            try translating(SecretBytes(copying: bytes)) {
                (failure: Secret.Failure) -> LoadFailure in
                if case .system(let failure) = failure {
                    .key(.system(failure))
                } else {
                    .key(.tooLong)
                }
            }
        }
    }
}
