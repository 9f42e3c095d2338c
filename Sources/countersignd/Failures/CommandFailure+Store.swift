import CommandLineTool
import Verification

/// What failed, by the name that an operator knows it by.
enum Part: Equatable, Sendable {
    /// A key or a journal.
    case file(String)
    /// A file to make.
    case newFile(String)
    /// The store in this file.
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
}

extension CommandFailure {
    /// Says of every failure of a store or a file what it is and what to do.
    init(_ failure: StoreFailure, of part: Part) {
        let name = part.name
        switch failure {
        case .missing where part == .newFile(name):
            self.init(
                .cannotCreate,
                "\(name) cannot be made: its folder is not there",
                hint: "make the folder, for its owner alone: mkdir -m 700"
            )
        case .missing:
            self.init(
                .noInput,
                "\(name) is not there",
                hint: "countersignd init makes what is missing of a new verifier"
            )
        case .exists:
            self.init(
                .cannotCreate,
                "\(name) is there already",
                hint: "nothing is written over: choose another name"
            )
        case .unsafeFile(let fault): self.init(fault, of: part)
        case .foreign:
            self.init(
                .malformedInput,
                part == .postgreSQL
                    ? "the database holds no store of countersignd"
                    : "\(name) was not written by countersignd",
                hint: "look whether the configuration names the right one"
            )
        case .newer(let version):
            self.init(
                .malformedInput,
                "\(name) was written by a later countersignd, in version \(version)",
                hint: "use that one, or one that is newer still"
            )
        case .older(let version):
            self.init(
                .malformedInput,
                "\(name) is still as an earlier countersignd left it, in version \(version)",
                hint: "countersignd run moves it on, and no earlier one can use it from then on"
            )
        case .readOnly:
            self.init(
                .noPermission,
                "\(name) cannot be opened or written to",
                hint: part == .postgreSQL
                    ? "the user of the connection must own the tables"
                    : "run this as the user who owns it, and look at its folder too"
            )
        case .damaged:
            self.init(
                .malformedInput,
                "\(name) is damaged",
                hint: "put the last backup in its place, then run countersignd restore"
            )
        case .full:
            self.init(
                .inputOutput,
                "no space is left for \(name)",
                hint: "nothing was lost: make space and repeat the command"
            )
        case .busy:
            self.init(.tryLater, "\(name) is in use by others for too long", hint: "try it again")
        case .unavailable: self.init(unavailable: part)
        case .uncertain:
            self.init(
                .tryLater,
                "\(name) failed while it stored the change",
                hint: "repeat the command: it finds out what was stored"
            )
        case .rolledBack:
            self.init(
                .malformedInput,
                "\(name) is older than what was stored in it a moment ago",
                hint: "run countersignd restore"
            )
        case .outdatedKey(let version):
            self.init(
                .malformedInput,
                "version \(version) of the encryption key is not to be used any more",
                hint: "copy the newest file of keys to here, and begin again"
            )
        case .conflict:
            self.init(
                .tryLater,
                "\(name) was changed by somebody else at this moment",
                hint: "stop whoever uses it and repeat the command"
            )
        case .misuse: self.init(misusing: part)
        }
    }

    private init(unavailable part: Part) {
        if part == .postgreSQL {
            self.init(
                .serverUnavailable,
                "PostgreSQL cannot be reached",
                hint: "look whether it runs, and at postgresql in the configuration"
            )
        } else {
            self.init(
                .inputOutput,
                "\(part.name) cannot be read or written",
                hint: "look at the disk that it is on"
            )
        }
    }

    private init(misusing part: Part) {
        if part == .postgreSQL {
            self.init(
                .malformedInput,
                "the configuration's postgresql is no connection string, or holds a password",
                hint: "a password belongs in the file that passfile=FILE names"
            )
        } else {
            self.init(.internalFailure, "\(part.name) was asked for what it cannot do")
        }
    }

    private init(_ fault: UnsafeFile, of part: Part) {
        let name = part.name
        switch fault {
        case .openToOthers:
            self.init(
                .noPermission,
                "\(name) is open to others, or marked as a program",
                hint: "allow its owner alone to read and write it: chmod 600"
            )
        case .folderOpenToOthers:
            self.init(
                .noPermission,
                "others may write to the folder of \(name)",
                hint: "make the folder its owner's alone: chmod 700"
            )
        case .foreignOwner:
            self.init(
                .noPermission,
                "\(name) belongs to somebody else",
                hint: "run this as the user who owns it"
            )
        case .symbolicLink:
            self.init(.noPermission, "\(name) is a symbolic link", hint: "name what it points to")
        case .notRegular: self.init(.noInput, "\(name) is no file")
        case .hardLinked:
            self.init(
                .noPermission,
                "\(name) has a second name, by which others may reach it",
                hint: "copy it to a file of its own"
            )
        case .strayLog:
            self.init(
                .malformedInput,
                "beside \(name) lies a log that is not its own",
                hint: "when a backup is put back, the files -wal and -shm of the old one must go"
            )
        }
    }
}
