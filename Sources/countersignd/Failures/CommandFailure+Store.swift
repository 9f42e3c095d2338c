import CommandLineTool
import PrivateFiles
import Storage
import VerifierServer

/// The file or database that failed, by the name that an operator knows.
enum FailedResource: Equatable, Sendable {
    /// A key or a journal.
    case file(String)
    /// A file to create.
    case newFile(String)
    case sqlite(String)
    case postgreSQL

    init(_ store: VerifierServer.Configuration.Store) {
        switch store {
        case .sqlite(let path): self = .sqlite(path)
        case .postgreSQL: self = .postgreSQL
        }
    }

    var name: String {
        switch self {
        case .file(let path), .newFile(let path): path
        case .sqlite(let path): "the store \(path)"
        case .postgreSQL: "the store in PostgreSQL"
        }
    }

    fileprivate var isNew: Bool { if case .newFile = self { true } else { false } }
    fileprivate var isDatabase: Bool { self == .postgreSQL }
}

// The tables of failures of stores and files: exit code and message, then the hint.

extension CommandFailure {
    init(_ failure: FileFailure, of resource: FailedResource) {
        self.init(StoreFailure(failure), of: resource)
    }

    init(_ failure: StoreFailure, of resource: FailedResource) {
        let (exitCode, message) = resource.outcome(of: failure)
        self.init(exitCode, message, hint: resource.hint(after: failure))
    }
}

extension FailedResource {
    fileprivate func outcome(of failure: StoreFailure) -> (ExitCode, String) {
        switch failure.reason {
        case .missing where isNew:
            (.cannotCreate, "cannot create \(name): its folder does not exist")
        case .missing: (.noInput, "\(name) does not exist")
        case .exists: (.cannotCreate, "\(name) already exists")
        case .unsafeFile(.notRegular): (.noInput, "\(name) is not a regular file")
        case .unsafeFile(let fault): (.noPermission, fault.sentence(about: name))
        case .strayLog: (.malformedInput, "\(name) has a write-ahead log of another store")
        case .foreign where isDatabase:
            (.malformedInput, "the database does not contain a store of countersignd")
        case .foreign: (.malformedInput, "\(name) is not a store of countersignd")
        case .newer(let version):
            (.malformedInput, "\(name) has version \(version) of a newer countersignd")
        case .older(let version):
            (.malformedInput, "\(name) has version \(version) of an older countersignd")
        case .readOnly: (.noPermission, "cannot open \(name) for writing")
        case .damaged: (.malformedInput, "\(name) is damaged")
        case .full: (.inputOutput, "the disk of \(name) is full")
        case .busy: (.tryLater, "timeout: other processes use \(name)")
        case .unavailable where isDatabase: (.serverUnavailable, "cannot connect to PostgreSQL")
        case .unavailable: (.inputOutput, "cannot read or write \(name)")
        case .uncertain: (.tryLater, "\(name) failed during a commit")
        case .rolledBack: (.malformedInput, "\(name) lost changes that it committed before")
        case .outdatedKey(let version):
            (.malformedInput, "version \(version) of the encryption key is retired")
        case .conflict: (.tryLater, "another process changed \(name) at the same time")
        case .malformedAddress:
            (
                .malformedInput,
                "store.postgresql is not a connection string, or contains a password"
            )
        case .misuse:
            (
                .internalFailure,
                "\(name) does not support this operation"
                    + (failure.engineCode.map { ": \($0)" } ?? "")
            )
        }
    }

    fileprivate func hint(after failure: StoreFailure) -> String? {
        switch failure.reason {
        case .missing where isNew: "create the folder with mkdir -m 700"
        case .missing: "countersignd init creates the missing parts of a new verifier"
        case .exists: "choose another name; existing files are never overwritten"
        case .unsafeFile(let fault): fault.hint
        case .strayLog: "after you put a backup back, delete the old files -wal and -shm"
        case .foreign: "check the member store in the configuration"
        case .newer: "upgrade this countersignd"
        case .older: "countersignd run migrates it; older releases cannot use it after that"
        case .readOnly where isDatabase: "the user of the connection must own the tables"
        case .readOnly:
            "run this as the owner of the file, and check the permissions of its folder"
        case .damaged: "replace it with the last backup, then run countersignd restore"
        case .full: "free some space and repeat the command; no data was lost"
        case .busy: "repeat the command"
        case .unavailable where isDatabase: "check that it is running, and check store.postgresql"
        case .unavailable: "check the disk"
        case .uncertain: "repeat the command: it finds out whether the commit succeeded"
        case .rolledBack: "run countersignd restore"
        case .outdatedKey: "copy the newest key file to this machine, and restart"
        case .conflict: "stop the other process and repeat the command"
        case .malformedAddress:
            "write the password to the file that passfile=FILE names"
        case .misuse: nil
        }
    }
}

extension UnsafeFile {
    fileprivate func sentence(about name: String) -> String {
        switch self {
        case .openToOthers: "other users can access \(name), or it is executable"
        case .folderOpenToOthers: "other users can write to the folder of \(name)"
        case .foreignOwner: "\(name) belongs to another user"
        case .symbolicLink: "\(name) is a symbolic link"
        case .notRegular: "\(name) is not a regular file"
        case .hardLinked: "\(name) has a second hard link"
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .openToOthers: "run chmod 600 on it"
        case .folderOpenToOthers: "run chmod 700 on the folder"
        case .foreignOwner: "run this as the owner of the file"
        case .symbolicLink: "name the target of the link"
        case .notRegular: nil
        case .hardLinked: "copy it to a new file"
        }
    }
}
