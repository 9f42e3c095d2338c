package import CommandLineTool
import PrivateFiles
package import Storage

// The table of failures of stores: exit code, message and hint.

/// The place of a store, by the name that an operator knows.
package enum StorePlace: Equatable, Sendable {
    case sqlite(String)
    case postgreSQL
    /// A file that gets a copy of a store.
    case copy(String)

    package var name: String {
        switch self {
        case .sqlite(let path): "the store \(path)"
        case .postgreSQL: "the store in PostgreSQL"
        case .copy(let path): path
        }
    }

    fileprivate var isCopy: Bool { if case .copy = self { true } else { false } }
    fileprivate var isDatabase: Bool { self == .postgreSQL }
}

/// The server to which a store belongs, in messages.
package struct StoreOwner: Sendable {
    let kind: String
    let program: String
    /// The hint of a failure that only this server can fix; nil for all others.
    let ownHint: @Sendable (StoreFailure) -> String?

    /// The kind has an article.
    package init(
        _ kind: String,
        program: String,
        ownHint: @escaping @Sendable (StoreFailure) -> String?
    ) {
        (self.kind, self.program, self.ownHint) = (kind, program, ownHint)
    }
}

extension CommandFailure {
    package init(_ failure: StoreFailure, of store: StorePlace, by owner: StoreOwner) {
        if let systemFailure = failure.systemFailure {
            self.init(systemFailure)
        } else {
            self.init(
                store.exitCode(of: failure),
                store.message(about: failure, owner.kind),
                hint: store.hint(after: failure, owner)
            )
        }
    }
}

extension StorePlace {
    fileprivate func exitCode(of failure: StoreFailure) -> ExitCode {
        switch failure.reason {
        case .missing where isCopy: .cannotCreate
        case .missing, .unsafeFile(.notRegular): .noInput
        case .exists: .cannotCreate
        case .unsafeFile, .readOnly, .missingRight: .noPermission
        case .strayLog, .foreign, .altered, .newer, .older, .damaged, .forged, .missingKey,
            .rolledBack, .outdatedKey, .malformedAddress, .unprotected,
            .elsewhere:
            .malformedInput
        // The unit of systemd does not restart after this code.
        case .unavailable where failure.isOfPasswordFile: .noPermission
        case .unavailable where isDatabase: .serverUnavailable
        case .full, .unavailable: .inputOutput
        case .busy, .uncertain, .conflict: .tryLater
        case .system, .misuse: .internalFailure
        }
    }

    fileprivate func message(about failure: StoreFailure, _ kind: String) -> String {
        switch failure.reason {
        case .missing where isCopy: "cannot create \(name): its folder does not exist"
        case .foreign where isDatabase: "the database does not contain a store of \(kind)"
        case .foreign: "\(name) is not a store of \(kind), or has other tables, indexes or triggers"
        case .unavailable where isDatabase:
            "cannot connect to PostgreSQL" + (failure.cause.map { ": \($0)" } ?? "")
        case .malformedAddress:
            if case .keyword(let name) = failure.cause {
                "store.postgresql contains the keyword \(name), which is not accepted"
            } else {
                "store.postgresql is not a connection string, or has an unknown keyword"
            }
        case .unprotected(let host):
            "store.postgresql names \(host) without sslmode=verify-full: others could read and change "
                + "the connection"
        case .elsewhere(let host, let address):
            "store.postgresql names \(host), but the server is at \(address), which is another machine"
        default: failure.sentence(about: name)
        }
    }

    fileprivate func hint(after failure: StoreFailure, _ owner: StoreOwner) -> String? {
        switch failure.reason {
        case .missing where isCopy: CommandFailure.hintForNewFolder
        case .exists: CommandFailure.hintForUsedName
        case .unsafeFile(let reason): reason.hint
        case .strayLog: "after you put a backup back, delete the old files -wal and -shm"
        case .foreign:
            "check the member store in the configuration; remove what another program added"
        case .altered: "remove what another program changed or added, and find out who did it"
        case .newer where isDatabase:
            "upgrade this \(owner.program), or check store.postgresql: it can name another store"
        case .newer: "upgrade this \(owner.program)"
        case .older: "\(owner.program) run migrates it; older releases cannot use it after that"
        case .readOnly where !isDatabase:
            CommandFailure.hintForDeniedFile + "; its disk must be writable"
        case .full: CommandFailure.hintForFullDisk
        case .unavailable where isDatabase:
            failure.advice ?? failure.adviceForConnections
                ?? "check that it is running, and check store.postgresql and its passfile"
        case .unavailable: CommandFailure.hintForDisk
        case .malformedAddress:
            "write KEYWORD=VALUE, separated by spaces; passfile=FILE names the file with the password"
        case .unprotected:
            "add sslmode=verify-full, and sslrootcert=FILE with the CA of the server; only Unix "
                + "sockets and loopback addresses need neither"
        case .elsewhere(let host, _):
            "correct the address of \(host) in /etc/hosts, or use 127.0.0.1 or a Unix socket"
        default: owner.ownHint(failure) ?? failure.commonHint
        }
    }
}

/// Compares PostgreSQL's texts about SQLSTATE 53300, which libpq does not return.
private func namesFullServer(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    return zip(words, words.dropFirst()).contains { pair in
        ["many clients", "many connections", "connection slots"].contains("\(pair.0) \(pair.1)")
    }
}

extension StoreFailure {
    /// Nil for other causes.
    fileprivate var adviceForConnections: String? {
        let isFull =
            switch cause {
            case .sqlState("53300"): true
            case .connection(let text): namesFullServer(text)
            default: false
            }
        return isFull
            ? "raise max_connections of the server, or the CONNECTION LIMIT of the role" : nil
    }

    fileprivate var commonHint: String? {
        switch reason {
        case .missingKey(let version):
            "copy version \(version) of the key from another node, or from the backup of the keys"
        case .outdatedKey: "copy the newest key file to this machine, and restart"
        case .busy, .uncertain, .conflict: "repeat the command"
        default: advice
        }
    }
}
