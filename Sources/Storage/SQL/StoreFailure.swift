package import PrivateFiles

/// Why a store cannot be opened or did not run a job.
///
/// It contains no stored data. Two failures are equal if their reasons are equal.
package struct StoreFailure: Error, Sendable {
    package enum Reason: Equatable, Sendable {
        // Why a store cannot be opened.

        /// Not a connection string of libpq, or one with a password.
        case malformedAddress
        /// The file or folder does not exist.
        case missing
        /// A file of this name exists, and is never overwritten.
        case exists
        case unsafeFile(UnsafeFile)
        /// A write-ahead log lies next to a file that never had one: it would change that file.
        case strayLog
        /// The file or database was not made by this program.
        case foreign
        /// A later release migrated the tables to `version`.
        case newer(version: Int)
        /// An earlier release made the tables, in `version`, and they were not migrated.
        case older(version: Int)

        // Failures that can happen at any time.

        case readOnly
        /// The stored data contradicts itself.
        case damaged
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
        /// The statement is wrong, or breaks a rule that the program should have kept: a bug.
        case misuse
    }

    /// The engine's own error code, for an operator who looks it up.
    package enum EngineCode: Equatable, Sendable {
        /// An extended result code of SQLite.
        case sqlite(Int32)
        /// A SQLSTATE of PostgreSQL.
        case sqlState(String)
    }

    package let reason: Reason
    package let engineCode: EngineCode?

    package init(_ reason: Reason, _ engineCode: EngineCode?) {
        self.reason = reason
        self.engineCode = engineCode
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
    package static let damaged = StoreFailure(reason: .damaged)
    package static let full = StoreFailure(reason: .full)
    package static let busy = StoreFailure(reason: .busy)
    package static let unavailable = StoreFailure(reason: .unavailable)
    package static let uncertain = StoreFailure(reason: .uncertain)
    package static let rolledBack = StoreFailure(reason: .rolledBack)
    package static let conflict = StoreFailure(reason: .conflict)
    package static let misuse = StoreFailure(reason: .misuse)

    package static func unsafeFile(_ file: UnsafeFile) -> Self { Self(reason: .unsafeFile(file)) }
    package static func newer(version: Int) -> Self { Self(reason: .newer(version: version)) }
    package static func older(version: Int) -> Self { Self(reason: .older(version: version)) }
    package static func outdatedKey(version: UInt32) -> Self {
        Self(reason: .outdatedKey(version: version))
    }
}

extension StoreFailure {
    package init(_ failure: FileFailure) {
        switch failure {
        case .missing: self = .missing
        case .exists: self = .exists
        case .unsafe(let file): self = .unsafeFile(file)
        case .foreign: self = .foreign
        case .readOnly: self = .readOnly
        case .full: self = .full
        case .locked: self = .busy
        case .tooLarge, .cancelled, .system: self = .unavailable
        }
    }
}

extension StoreFailure: CustomStringConvertible {
    package var description: String {
        engineCode.map { "\(reason.text) (\($0))" } ?? reason.text
    }
}

extension StoreFailure.Reason {
    fileprivate var text: String {
        switch self {
        case .malformedAddress: "its address is malformed, or contains a password"
        case .missing: FileFailure.missing.description
        case .exists: FileFailure.exists.description
        case .unsafeFile(let file): FileFailure.unsafe(file).description
        case .strayLog: "a write-ahead log of another store is next to the file"
        case .foreign: "it does not belong to this program"
        case .newer(let version): "a newer release made its version \(version)"
        case .older(let version): "its version \(version) must be migrated"
        case .readOnly: "it is read-only, or access is denied"
        case .damaged: "its data are damaged"
        case .full: FileFailure.full.description
        case .busy: "timeout: another process uses it"
        case .unavailable: "it is closed, or its disk or server failed"
        case .uncertain: "it failed during a commit, and the result is unknown"
        case .rolledBack: "an older copy replaced it"
        case .outdatedKey(let version): "version \(version) of the encryption key is retired"
        case .conflict: "its rows do not allow the change"
        case .misuse: "it does not support this operation"
        }
    }
}

extension StoreFailure.EngineCode: CustomStringConvertible {
    package var description: String {
        switch self {
        case .sqlite(let code): "SQLite result code \(code)"
        case .sqlState(let state): "SQLSTATE \(state)"
        }
    }
}
