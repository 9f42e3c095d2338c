import Cryptography
import FailureTranslation
import PrivateFiles
import TransactionApproval

/// The bank's references of decided transactions, so that a repeated request is not shown twice.
///
/// An attacker who can write this file can hide or repeat a request, but cannot decide one.
struct SeenReferences: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        let server: ServerOrigin
        let enterprise: EnterpriseID
        let reference: ExternalReference
        let transaction: TransactionID
    }

    static let fileName = "references"
    static let maximumEntries = 256
    private static let opening = Array("CSVR".utf8)
    /// The entries of version 1 had no server, and are forgotten.
    private static let version: UInt16 = 2
    /// An origin and three identifiers of at most 64 characters, with their lengths.
    static let maximumByteCount =
        opening.count + 2
        + maximumEntries * (4 + ServerOrigin.maximumByteCount + 3 * (4 + 64))

    /// The oldest first.
    private(set) var entries: [Entry] = []

    /// The other transactions whose reference this request of a server repeats.
    ///
    /// No server can hide the requests of another one, which may have an enterprise of the same name.
    func repeated(by transaction: Transaction, at server: ServerOrigin) -> [TransactionID] {
        guard let reference = transaction.reference else { return [] }
        return entries.filter {
            $0.server == server && $0.enterprise == transaction.enterprise
                && $0.reference == reference && $0.transaction != transaction.id
        }
        .map(\.transaction)
    }

    /// False if the transaction has no reference.
    mutating func remember(_ transaction: Transaction, at server: ServerOrigin) -> Bool {
        guard let reference = transaction.reference else { return false }
        let entry = Entry(
            server: server,
            enterprise: transaction.enterprise,
            reference: reference,
            transaction: transaction.id
        )
        guard !entries.contains(entry) else { return false }
        entries = entries.suffix(Self.maximumEntries - 1) + [entry]
        return true
    }

    /// False if the reference was not remembered.
    mutating func forget(_ id: TransactionID, at server: ServerOrigin) -> Bool {
        let count = entries.count
        entries.removeAll { $0.server == server && $0.transaction == id }
        return entries.count < count
    }
}

// MARK: Stored form

extension SeenReferences {
    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.append(Self.version)
        for entry in entries {
            writer.append(entry.server.text)
            writer.append(entry.enterprise)
            writer.append(entry.reference)
            writer.append(entry.transaction)
        }
        return Self.opening + writer.bytes
    }

    /// Reads exactly the form that `bytes` writes.
    init(_ bytes: [UInt8]) throws(AccountRecord.Failure) {
        guard bytes.starts(with: Self.opening) else { throw .damaged }
        let fields = Array(bytes.dropFirst(Self.opening.count))
        var reader = FieldReader(fields)
        // All errors are reported alike: `try?`.
        guard let version = try? reader.number(UInt16.self) else { throw .damaged }
        guard version <= Self.version else { throw .newer(version: version) }
        guard version == Self.version else { throw .damaged }
        while reader.offset < fields.count {
            guard entries.count < Self.maximumEntries, let entry = try? Entry(&reader) else {
                throw .damaged
            }
            entries.append(entry)
        }
    }
}

extension SeenReferences.Entry {
    /// Nil if the server is not an origin.
    fileprivate init?(_ reader: inout FieldReader) throws(FieldReader.Failure) {
        let server = ServerOrigin(try reader.text(atMost: ServerOrigin.maximumByteCount))
        guard let server else { return nil }
        self.init(
            server: server,
            enterprise: try reader.identifier(),
            reference: try reader.identifier(),
            transaction: try reader.identifier()
        )
    }
}

// MARK: In the vault

extension Vault {
    /// Nothing if the file is damaged: then a repeated request is shown, and nothing else is lost.
    func seenReferences() throws(Failure) -> SeenReferences {
        do throws(FileFailure) {
            let contents = try folder.contents(
                of: SeenReferences.fileName,
                atMost: SeenReferences.maximumByteCount
            )
            // A damaged list is replaced by the next decision: `try?`.
            return contents.flatMap { try? SeenReferences($0) } ?? SeenReferences()
        } catch .tooLarge {
            return SeenReferences()
        } catch {
            throw .file(error)
        }
    }
}

extension LockedVault {
    /// Returns when the reference, if there is one, is on the disk.
    borrowing func remember(
        _ transaction: Transaction,
        at server: ServerOrigin
    ) throws(Vault.Failure) {
        var seen = try vault.seenReferences()
        guard seen.remember(transaction, at: server) else { return }
        try replace(SeenReferences.fileName, with: seen.bytes)
    }

    /// Returns when the reference, if there is one, is removed from the disk.
    borrowing func forget(
        _ id: TransactionID,
        at server: ServerOrigin
    ) throws(Vault.Failure) {
        var seen = try vault.seenReferences()
        guard seen.forget(id, at: server) else { return }
        try replace(SeenReferences.fileName, with: seen.bytes)
    }
}
