import CommandLineTool
import ConfigurationFiles
import PrivateFiles
import Storage

// The table of failures of the store: exit code, message and hint.

extension CommandFailure {
    init(_ failure: StoreFailure, of store: Configuration.Store) {
        if let systemFailure = failure.systemFailure {
            self.init(systemFailure)
        } else {
            self.init(
                store.exitCode(of: failure),
                store.message(about: failure),
                hint: store.hint(after: failure)
            )
        }
    }
}

extension CommandFailure {
    /// For rows that another program wrote.
    static let hintAfterForgery = "copy the store as evidence, and restore a backup"
}

extension Configuration.Store {
    /// For messages.
    var name: String {
        switch self {
        case .sqlite(let path): "the store \(path)"
        case .postgreSQL: "the store in PostgreSQL"
        }
    }

    private var isDatabase: Bool { if case .postgreSQL = self { true } else { false } }

    fileprivate func exitCode(of failure: StoreFailure) -> ExitCode {
        switch failure.reason {
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
        case .foreign where isDatabase: "the database does not contain a store of an ACS"
        case .foreign: "\(name) is not a store of an ACS, or has other tables, indexes or triggers"
        case .unavailable where isDatabase:
            "cannot connect to PostgreSQL" + (failure.cause.map { ": \($0)" } ?? "")
        case .malformedAddress:
            "store.postgresql is not a connection string, or contains a password or a service"
        case .unprotected(let host):
            "store.postgresql names \(host) without sslmode=verify-full"
        case .elsewhere(let host, let address):
            "store.postgresql names \(host), but the server is at \(address), another machine"
        default: failure.sentence(about: name)
        }
    }

    fileprivate func hint(after failure: StoreFailure) -> String? {
        switch failure.reason {
        case .missing:
            "mount its disk, or restore the backup; for a new ACS, countersign-acs init creates it"
        case .exists: "choose another name; existing files are never overwritten"
        case .unsafeFile(let reason): reason.hint
        case .strayLog: "after you put a backup back, delete the old files -wal and -shm"
        case .foreign: "check the member store in the configuration"
        case .newer where isDatabase:
            "upgrade this countersign-acs, or check store.postgresql: it can name another store"
        case .newer: "upgrade this countersign-acs"
        case .older: "countersign-acs run migrates it; older releases cannot use it after that"
        case .readOnly where !isDatabase:
            "give its owner write access to the file and its folder, on a writable disk"
        case _ where failure == .otherKeys:
            "put the key file of this store back, from the backup of the keys"
        case .damaged: "stop the ACS, and replace the store with the last backup"
        case .forged: CommandFailure.hintAfterForgery
        case .missingKey(let version):
            "add version \(version) of the key, from the backup of the keys"
        case .outdatedKey: "copy the newest key file to this machine, and restart the ACS"
        case .full: "free some space and repeat the command; no data was lost"
        case .busy, .uncertain, .conflict: "repeat the command"
        case .unavailable where isDatabase:
            failure.advice
                ?? "check that it is running, and check store.postgresql and its passfile"
        case .unavailable: "check the disk"
        case .malformedAddress:
            "correct store.postgresql; a password belongs in the file that passfile=FILE names"
        case .elsewhere(let host, _):
            "correct the address of \(host) in /etc/hosts, or use 127.0.0.1 or a Unix socket"
        case .unprotected: "add sslmode=verify-full, and sslrootcert=FILE with the CA of the server"
        default: failure.advice
        }
    }
}
