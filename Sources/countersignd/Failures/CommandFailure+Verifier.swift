import CommandLineTool
import ConfigurationFiles
import Cryptography
import PrivateFiles
import Sealing
import Verification
import VerifierServer

// The tables of failures of the journal, whose sentences the server has, and of the verifier.

extension CommandFailure {
    init(_ failure: JournalFailure, of configuration: Configuration) {
        let store = configuration.store.place
        switch failure {
        case .file(let failure) where failure != .missing:
            self.init(failure, of: configuration.journal)
        case .headFile(let failure): self.init(failure, of: configuration.journal + ".head")
        case .store(let failure): self.init(failure, of: store)
        case .system(let failure): self.init(failure)
        default:
            self.init(
                failure.exitCode,
                failure.sentence(about: "the journal \(configuration.journal)"),
                hint: failure.hint(over: store)
            )
        }
    }

    /// A failure after the changes of a command: the next signature of the journal covers them.
    ///
    /// Its exit code never advises to repeat the command.
    init(signing failure: JournalFailure, of configuration: Configuration) {
        let cause = CommandFailure(failure, of: configuration)
        let next = "do not repeat the command: the next command or start signs them"
        let isTemporary = cause.exitCode == .tryLater
        let hint: String? =
            switch failure {
            case .file(.full): "free some space; \(next)"
            default: isTemporary ? next : cause.hint
            }
        self.init(
            isTemporary ? .inputOutput : cause.exitCode,
            "all changes were made, but not signed: \(cause.message)",
            hint: hint
        )
    }

    init(_ failure: Verifier.Failure, of configuration: Configuration) {
        let keys = configuration.keys.encryptionPath
        self =
            switch failure {
            case .store(let failure): CommandFailure(failure, of: configuration.store.place)
            case .system(let failure): CommandFailure(failure)
            case .journal(let failure): CommandFailure(failure, of: configuration)
            case .sealedRecord(.keyMissing(let version)):
                CommandFailure(
                    .malformedInput,
                    "version \(version) of the encryption key is not in \(keys)",
                    hint: configuration.store.place == .postgreSQL
                        ? "copy the file from a verifier that works, or restore it from a backup"
                        : "restore it from the backup of the keys"
                )
            case .sealedRecord:
                CommandFailure(.malformedInput, "the keys in \(keys) do not match the store")
                    .suggesting("restore the keys that belong to this store")
            case .policy: CommandFailure(.malformedInput, "the policy breaks a rule")
            case .confirmation: CommandFailure(.refused, "a second person must confirm the call")
            }
    }
}

extension JournalFailure {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .file, .headFile, .lostHead: .noInput
        case .storeInUse: .cannotCreate
        case .damagedLine, .foreign, .behind, .unrestored, .forked, .brokenTrail, .damagedTrail,
            .contradictedRows:
            .malformedInput
        case .store, .system: .internalFailure
        }
    }

    fileprivate func hint(over store: StorePlace) -> String? {
        switch self {
        case .storeInUse where store == .postgreSQL:
            "to add a verifier, or if only its own journal is lost, run countersignd init --join; if "
                + "the journals of all verifiers are lost, countersignd restore --journal-lost"
        case .file(.missing) where store == .postgreSQL:
            "find it; if this verifier is new or its journal is lost, and others work, run countersignd "
                + "init --join; if all journals are lost, countersignd restore --journal-lost"
        case .file, .headFile, .storeInUse:
            "find it; only if it is lost, run countersignd restore --journal-lost"
        case .lostHead: "put it back; only if it is lost, run countersignd restore"
        case .damagedLine: "put back a copy of it, or check checkpointKey in the configuration"
        case .foreign: "check the members journal and store in the configuration"
        case .behind, .forked:
            "if the store came from a backup, run countersignd restore"
                + (store == .postgreSQL ? " --from-backup on every verifier" : "")
        case .unrestored: "run countersignd restore"
        case .brokenTrail: "countersignd audit verify lists all findings"
        case .damagedTrail, .contradictedRows:
            "put the backup back again; restore --despite-damaged-trail trusts all rows"
        case .store, .system: nil
        }
    }
}
