package import Cryptography
import Glibc
package import PrivateFiles

/// Why a store cannot be opened or did not run a job.
///
/// It contains no stored data. Two failures are equal if their reasons are equal.
package struct StoreFailure: Error, Sendable {
    package enum Reason: Equatable, Sendable {
        // Why a store cannot be opened.

        /// Not a connection string of libpq, or one with a keyword that is not accepted.
        case malformedAddress
        /// Another machine without TLS, or without a check of its certificate.
        case unprotected(host: String)
        /// A name of this machine led to the address of another one.
        case elsewhere(host: String, address: String)
        /// The file or folder does not exist.
        case missing
        /// A file of this name exists, and is never overwritten.
        case exists
        case unsafeFile(UnsafeFile)
        /// A write-ahead log lies next to a file that never had one: it would change that file.
        case strayLog
        /// The file or database was not made by this program.
        case foreign
        /// A table differs from the migrations: an addition can change the effect of each statement.
        case altered(table: String)
        /// A later release migrated the tables to `version`.
        case newer(version: Int)
        /// An earlier release made the tables, in `version`, and they were not migrated.
        case older(version: Int)

        // Failures that can happen at any time.

        case readOnly
        /// The user of the connection lacks a right that a statement needs.
        case missingRight
        /// The stored data contradicts itself.
        case damaged
        /// No verifier with the store's keys wrote this row, or an older key than allowed.
        case forged(row: String)
        /// The row is authenticated under a key version that the caller does not have.
        case missingKey(version: UInt32)
        /// No space is left; the job left nothing behind.
        case full
        /// Another process held the store until the timeout; the job left nothing behind.
        case busy
        /// The store is closed, or its disk or server failed; the job left nothing behind.
        case unavailable
        /// The store failed during the commit: the job may or may not be committed.
        case uncertain
        /// A committed state is missing: an older copy has replaced the store.
        case rolledBack
        /// The value is sealed under a key version that is no longer allowed: the caller's key file
        /// is out of date.
        case outdatedKey(version: UInt32)
        /// An existing or a missing row forbids the change.
        case conflict
        /// The job needed a hash or a random number, and the machine failed; the job left nothing
        /// behind.
        case system(SystemFailure)
        /// The statement is wrong, or breaks a rule that the program should have kept: a bug.
        case misuse
    }

    /// The report of the engine or the kernel, for an operator who looks it up.
    package enum Cause: Equatable, Sendable {
        /// An extended result code of SQLite.
        case sqlite(Int32)
        /// A SQLSTATE of PostgreSQL.
        case sqlState(String)
        /// The text of libpq about a connection that was not made. It contains no stored data.
        case connection(String)
        /// The path of a file with PostgreSQL's password that other users can access.
        case passwordFile(String)
        /// A keyword that a connection string must not contain, without its value.
        case keyword(String)
        /// The text of PostgreSQL about a missing right. It names a schema or a table, and contains
        /// no stored data.
        case denied(String)
        /// An `errno` of the kernel.
        case errorNumber(CInt)
    }

    package let reason: Reason
    package let cause: Cause?

    package init(_ reason: Reason, _ cause: Cause?) {
        self.reason = reason
        self.cause = cause
    }

    /// Labelled, because `FileFailure` has cases of the same names.
    private init(reason: Reason) {
        self.init(reason, nil)
    }
}

extension StoreFailure: Equatable {
    package static func == (first: StoreFailure, second: StoreFailure) -> Bool {
        first.reason == second.reason
    }
}

extension StoreFailure {
    package static let malformedAddress = StoreFailure(reason: .malformedAddress)
    package static let missing = StoreFailure(reason: .missing)
    package static let exists = StoreFailure(reason: .exists)
    package static let strayLog = StoreFailure(reason: .strayLog)
    package static let foreign = StoreFailure(reason: .foreign)
    package static let readOnly = StoreFailure(reason: .readOnly)
    package static let missingRight = StoreFailure(reason: .missingRight)
    package static let damaged = StoreFailure(reason: .damaged)
    package static let full = StoreFailure(reason: .full)
    package static let busy = StoreFailure(reason: .busy)
    package static let unavailable = StoreFailure(reason: .unavailable)
    package static let uncertain = StoreFailure(reason: .uncertain)
    package static let rolledBack = StoreFailure(reason: .rolledBack)
    package static let conflict = StoreFailure(reason: .conflict)
    package static let misuse = StoreFailure(reason: .misuse)

    package static func unsafeFile(_ file: UnsafeFile) -> Self { Self(reason: .unsafeFile(file)) }

    package static func forged(row: String) -> Self { Self(reason: .forged(row: row)) }
    /// No secret of the store opens: the keys are those of another store.
    package static let otherKeys = forged(row: allSecrets)
    fileprivate static let allSecrets = "all secrets"
    /// Whether the cause can be a wrong key file: even the verifier's own row is not authentic.
    package var concernsAllKeys: Bool {
        [.forged(row: "verifier id=1"), .forged(row: Self.allSecrets)].contains(reason)
    }
    package static func missingKey(version: UInt32) -> Self {
        Self(reason: .missingKey(version: version))
    }
    package static func unprotected(host: String) -> Self { Self(reason: .unprotected(host: host)) }
    package static func elsewhere(host: String, address: String) -> Self {
        Self(reason: .elsewhere(host: host, address: address))
    }
    package static func altered(table: String) -> Self { Self(reason: .altered(table: table)) }
    package static func newer(version: Int) -> Self { Self(reason: .newer(version: version)) }
    package static func older(version: Int) -> Self { Self(reason: .older(version: version)) }
    package static func outdatedKey(version: UInt32) -> Self {
        Self(reason: .outdatedKey(version: version))
    }
    package static func system(_ failure: SystemFailure) -> Self { Self(reason: .system(failure)) }
}

extension StoreFailure {
    package init(_ failure: FileFailure) {
        switch failure {
        case .missing: self = .missing
        case .exists: self = .exists
        case .unsafe(let file): self = .unsafeFile(file)
        case .foreign: self = .foreign
        case .readOnly, .readOnlyDisk: self = .readOnly
        case .full: self = .full
        case .locked: self = .busy
        case .tooLarge, .cancelled: self = .unavailable
        case .errorNumber(let number): self.init(.unavailable, .errorNumber(number))
        }
    }
}

extension StoreFailure {
    /// Whether another program wrote a row.
    package var isForgery: Bool {
        if case .forged = reason { true } else { false }
    }

    /// Whether one row is the cause, so that the others can still be read.
    package var isOfOneRow: Bool {
        switch reason {
        case .forged, .missingKey, .damaged: true
        default: false
        }
    }

    /// Whether other users can access the file with PostgreSQL's password.
    package var isOfPasswordFile: Bool {
        if case .passwordFile = cause { true } else { false }
    }

    /// The failure of the machine, if this was the cause.
    package var systemFailure: SystemFailure? {
        if case .system(let failure) = reason { failure } else { nil }
    }
}

extension StoreFailure {
    /// How an administrator of the database fixes the cause; nil for other causes.
    package var advice: String? {
        switch (reason, cause) {
        case (.missingRight, _):
            "grant the user access to the schema, and SELECT, INSERT, UPDATE and DELETE on its "
                + "tables; init and migrations need CREATE and the tables' owner"
        case (.readOnly, .sqlState): Self.adviceForReadOnlyServer
        case (_, .passwordFile): "run chmod 600 on it"
        case (_, .connection(let text)) where text.split(separator: ";").contains(where: isReadOnly):
            Self.adviceForReadOnlyServer
        default: nil
        }
    }

    /// Compares libpq's text about one host, which it does not translate without `setlocale`.
    private func isReadOnly(_ text: Substring) -> Bool {
        text.hasSuffix(" session is read-only") || text.hasSuffix(" server is in hot standby mode")
    }

    private static let adviceForReadOnlyServer =
        "connect to the primary, or set default_transaction_read_only to off on the server"
}

// MARK: The one table of sentences

extension StoreFailure: CustomStringConvertible {
    package var description: String { sentence(about: "the store") }

    package func sentence(about name: String) -> String {
        reason.sentence(about: name) + (cause.map { " (\($0))" } ?? "")
    }
}

extension StoreFailure.Reason {
    fileprivate func sentence(about name: String) -> String {
        switch self {
        case .malformedAddress: "the address of \(name) is malformed"
        case .unprotected(let host): "the connection to \(host) is not protected by TLS"
        case .elsewhere(let host, let address): "\(host) is \(address), which is another machine"
        case .missing: FileFailure.missing.sentence(about: name)
        case .exists: FileFailure.exists.sentence(about: name)
        case .unsafeFile(let file): file.sentence(about: name)
        case .strayLog: "\(name) has a write-ahead log of another store"
        case .foreign:
            "\(name) is not a store of this program, or has other tables, indexes or triggers"
        case .altered(let table):
            "the table \(table) of \(name) has other columns or keys, or triggers, rules or row security"
        case .newer(let version): "a newer release made \(name), in version \(version)"
        case .older(let version): "an older release made \(name), in version \(version)"
        case .readOnly: "cannot open \(name) for writing"
        case .missingRight: "the user of the connection lacks a right on \(name)"
        case .damaged: "\(name) is damaged"
        case .forged where StoreFailure(reason: self).concernsAllKeys:
            "the encryption keys do not match \(name), or another program changed it"
        case .forged(let row): "the row \(row) of \(name) is not authentic"
        case .missingKey(let version): "version \(version) of the encryption key is missing"
        case .full: FileFailure.full.sentence(about: name)
        case .busy: "timeout: other processes use \(name)"
        case .unavailable: "cannot read or write \(name)"
        case .uncertain: "\(name) failed during a commit, and the result is unknown"
        case .rolledBack: "\(name) lost changes that it committed before"
        case .outdatedKey(let version): "version \(version) of the encryption key is retired"
        case .conflict: "another process changed \(name) at the same time"
        case .system(let failure): failure.text
        case .misuse: "\(name) does not support this operation"
        }
    }
}

extension StoreFailure.Cause: CustomStringConvertible {
    package var description: String {
        switch self {
        case .sqlite(let code): "SQLite result code \(code)"
        case .sqlState(let state): "SQLSTATE \(state)"
        case .connection(let text): text
        case .passwordFile(let path): "other users can access \(path)"
        case .keyword(let name): "it contains the keyword \(name)"
        case .denied(let text): "\(text), SQLSTATE 42501"
        case .errorNumber(let number): String(cString: strerror(number))
        }
    }
}
