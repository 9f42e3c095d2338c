import CommandLineTool
import ConfigurationFiles
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

// The tables of failures of stores and files: exit code, message and hint.

extension CommandFailure {
    init(_ failure: FileFailure, of resource: FailedResource) {
        if case .newFile(let path) = resource {
            self.init(failure, creating: path)
        } else {
            self.init(StoreFailure(failure), of: resource)
        }
    }

    init(_ failure: StoreFailure, of resource: FailedResource) {
        if let systemFailure = failure.systemFailure {
            self.init(systemFailure)
        } else {
            self.init(
                resource.exitCode(of: failure),
                resource.message(about: failure),
                hint: resource.hint(after: failure)
            )
        }
    }
}

extension FailedResource {
    fileprivate func exitCode(of failure: StoreFailure) -> ExitCode {
        switch failure.reason {
        case .missing where isNew: .cannotCreate
        case .missing, .unsafeFile(.notRegular): .noInput
        case .exists: .cannotCreate
        case .unsafeFile, .readOnly, .missingRight: .noPermission
        case .strayLog, .foreign, .newer, .older, .damaged, .forged, .missingKey, .unauthenticated,
            .rolledBack, .outdatedKey, .malformedAddress, .unprotected, .elsewhere:
            .malformedInput
        case .unavailable where isDatabase: .serverUnavailable
        case .full, .unavailable: .inputOutput
        case .busy, .uncertain, .conflict: .tryLater
        case .system, .misuse: .internalFailure
        }
    }

    fileprivate func message(about failure: StoreFailure) -> String {
        switch failure.reason {
        case .missing where isNew: "cannot create \(name): its folder does not exist"
        case .foreign where isDatabase: "the database does not contain a store of a verifier"
        case .unavailable where isDatabase:
            "cannot connect to PostgreSQL" + (failure.cause.map { ": \($0)" } ?? "")
        case .malformedAddress:
            "store.postgresql is not a connection string, or contains a password or a service"
        case .unprotected(let host):
            "store.postgresql names \(host) without sslmode=verify-full: others could read and change "
                + "the connection"
        case .elsewhere(let host, let address):
            "store.postgresql names \(host), but the server is at \(address), which is another machine"
        default: failure.sentence(about: name)
        }
    }

    fileprivate func hint(after failure: StoreFailure) -> String? {
        switch failure.reason {
        case .missing where isNew: "create the folder with mkdir -m 700"
        case .missing:
            "mount its disk, or put a backup back and run countersignd restore; for a new verifier, "
                + "countersignd init creates it"
        case .exists: "choose another name; existing files are never overwritten"
        case .unsafeFile(let reason): reason.hint
        case .strayLog: "after you put a backup back, delete the old files -wal and -shm"
        case .foreign:
            "check the member store in the configuration; remove what another program added"
        case .newer: "upgrade this countersignd"
        case .older: "countersignd run migrates it; older releases cannot use it after that"
        case .missingRight: failure.advice
        case .readOnly where isDatabase: failure.advice
        case .readOnly:
            "run this as the owner of the file, and check the permissions of its folder and that its "
                + "disk is writable"
        case .damaged: "replace it with the last backup, then run countersignd restore"
        case .forged where failure.concernsAllKeys:
            "put the right key file back, or copy it from a verifier that works, and restart; only if "
                + "the file is right, run countersignd audit verify"
        case .forged: "run countersignd audit verify, and then restore the last backup"
        case .missingKey(let version):
            "add version \(version) of the key, from the backup of the keys"
        case .unauthenticated: "run countersignd adopt, if you trust what the store contains"
        case .full: "free some space and repeat the command; no data was lost"
        case .busy: "repeat the command"
        case .unavailable where isDatabase:
            failure.advice
                ?? "check that it is running, and check store.postgresql and its passfile"
        case .unavailable: "check the disk"
        case .uncertain: "repeat the command: it finds out whether the commit succeeded"
        case .rolledBack: "run countersignd restore"
        case .outdatedKey: "copy the newest key file to this machine, and restart"
        case .conflict: "stop the other process and repeat the command"
        case .malformedAddress:
            "correct store.postgresql; a password belongs in the file that passfile=FILE names"
        case .unprotected:
            "add sslmode=verify-full, and sslrootcert=FILE with the CA of the server; only Unix "
                + "sockets and loopback addresses need neither"
        case .elsewhere(let host, _):
            "correct the address of \(host) in /etc/hosts, or use 127.0.0.1 or a Unix socket"
        case .system, .misuse: nil
        }
    }
}
