import CommandLineTool
import PrivateFiles
import Storage
import Verification

/// The file or database that failed, by the name that an operator knows.
enum Part: Equatable, Sendable {
    /// A key or a journal.
    case file(String)
    /// A file to create.
    case newFile(String)
    case sqlite(String)
    case postgreSQL

    init(_ store: Configuration.Store) {
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
}

extension CommandFailure {
    init(_ failure: FileFailure, of part: Part) {
        self.init(StoreFailure(failure), of: part)
    }

    /// The table of failures of stores and files.
    init(_ failure: StoreFailure, of part: Part) {
        let name = part.name
        let isDatabase = part == .postgreSQL
        self =
            switch failure.reason {
            case .missing where part.isNew:
                CommandFailure(
                    .cannotCreate,
                    "cannot create \(name): its folder does not exist",
                    hint: "create the folder with mkdir -m 700"
                )
            case .missing:
                CommandFailure(
                    .noInput,
                    "\(name) does not exist",
                    hint: "countersignd init creates the missing parts of a new verifier"
                )
            case .exists:
                CommandFailure(
                    .cannotCreate,
                    "\(name) already exists",
                    hint: "choose another name; existing files are never overwritten"
                )
            case .unsafeFile(let fault): CommandFailure(fault, of: name)
            case .strayLog:
                CommandFailure(
                    .malformedInput,
                    "\(name) has a write-ahead log of another store",
                    hint: "after you put a backup back, delete the old files -wal and -shm"
                )
            case .foreign:
                CommandFailure(
                    .malformedInput,
                    isDatabase
                        ? "the database does not contain a store of countersignd"
                        : "\(name) is not a store of countersignd",
                    hint: "check the member store in the configuration"
                )
            case .newer(let version):
                CommandFailure(
                    .malformedInput,
                    "\(name) has version \(version) of a newer countersignd",
                    hint: "upgrade this countersignd"
                )
            case .older(let version):
                CommandFailure(
                    .malformedInput,
                    "\(name) has version \(version) of an older countersignd",
                    hint: "countersignd run migrates it; older releases cannot use it after that"
                )
            case .readOnly:
                CommandFailure(
                    .noPermission,
                    "cannot open \(name) for writing",
                    hint: isDatabase
                        ? "the user of the connection must own the tables"
                        : "run this as the owner of the file, and check the permissions of its folder"
                )
            case .damaged:
                CommandFailure(
                    .malformedInput,
                    "\(name) is damaged",
                    hint: "replace it with the last backup, then run countersignd restore"
                )
            case .full:
                CommandFailure(
                    .inputOutput,
                    "the disk of \(name) is full",
                    hint: "free some space and repeat the command; no data was lost"
                )
            case .busy:
                CommandFailure(
                    .tryLater,
                    "timeout: other processes use \(name)",
                    hint: "repeat the command"
                )
            case .unavailable where isDatabase:
                CommandFailure(
                    .serverUnavailable,
                    "cannot connect to PostgreSQL",
                    hint: "check that it is running, and check store.postgresql"
                )
            case .unavailable:
                CommandFailure(
                    .inputOutput,
                    "cannot read or write \(name)",
                    hint: "check the disk"
                )
            case .uncertain:
                CommandFailure(
                    .tryLater,
                    "\(name) failed during a commit",
                    hint: "repeat the command: it finds out whether the commit succeeded"
                )
            case .rolledBack:
                CommandFailure(
                    .malformedInput,
                    "\(name) lost changes that it committed before",
                    hint: "run countersignd restore"
                )
            case .outdatedKey(let version):
                CommandFailure(
                    .malformedInput,
                    "version \(version) of the encryption key is retired",
                    hint: "copy the newest key file to this machine, and restart"
                )
            case .conflict:
                CommandFailure(
                    .tryLater,
                    "another process changed \(name) at the same time",
                    hint: "stop the other process and repeat the command"
                )
            case .malformedAddress:
                CommandFailure(
                    .malformedInput,
                    "store.postgresql is not a connection string, or contains a password",
                    hint: "write the password to the file that passfile=FILE names"
                )
            case .misuse:
                CommandFailure(
                    .internalFailure,
                    "\(name) does not support this operation"
                        + (failure.engineCode.map { ": \($0)" } ?? "")
                )
            }
    }

    /// The table of files that are not safe to use.
    private init(_ fault: UnsafeFile, of name: String) {
        self =
            switch fault {
            case .openToOthers:
                CommandFailure(
                    .noPermission,
                    "other users can access \(name), or it is executable",
                    hint: "run chmod 600 on it"
                )
            case .folderOpenToOthers:
                CommandFailure(
                    .noPermission,
                    "other users can write to the folder of \(name)",
                    hint: "run chmod 700 on the folder"
                )
            case .foreignOwner:
                CommandFailure(
                    .noPermission,
                    "\(name) belongs to another user",
                    hint: "run this as the owner of the file"
                )
            case .symbolicLink:
                CommandFailure(
                    .noPermission,
                    "\(name) is a symbolic link",
                    hint: "name the target of the link"
                )
            case .notRegular: CommandFailure(.noInput, "\(name) is not a regular file")
            case .hardLinked:
                CommandFailure(
                    .noPermission,
                    "\(name) has a second hard link",
                    hint: "copy it to a new file"
                )
            }
    }
}
