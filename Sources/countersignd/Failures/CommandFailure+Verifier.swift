import CommandLineTool
import OneTimePassword
import PrivateFiles
import Sealing
import Verification

extension CommandFailure {
    /// The table of failures of the journal.
    init(_ failure: JournalFailure, of configuration: Configuration) {
        let journal = configuration.journal
        let part = Part(configuration.store)
        self =
            switch failure {
            case .file(.missing):
                CommandFailure(
                    .noInput,
                    "the journal \(journal) does not exist",
                    hint: "find it; only if it is lost, run countersignd restore --journal-lost"
                )
            case .file(let failure): CommandFailure(failure, of: .file(journal))
            case .store(let failure): CommandFailure(failure, of: part)
            case .machine(let failure): CommandFailure(failure)
            case .damagedLine(let line):
                CommandFailure(
                    .malformedInput,
                    "line \(line) of the journal \(journal) is damaged, or signed by another key",
                    hint: "put back a copy of it, or check checkpointKey in the configuration"
                )
            case .foreign:
                CommandFailure(
                    .malformedInput,
                    "the journal \(journal) belongs to another store",
                    hint: "check the members journal and store in the configuration"
                )
            case .storeInUse:
                CommandFailure(
                    .cannotCreate,
                    "the store is not empty, but the journal \(journal) does not exist",
                    hint: part == .postgreSQL
                        ? "to add a verifier, run countersignd init --join; after a lost journal, "
                            + "countersignd restore --journal-lost"
                        : "find it; only if it is lost, run countersignd restore --journal-lost"
                )
            case .behind(let store, let seen):
                CommandFailure(
                    .malformedInput,
                    "the store ends at record \(store), but its journal ends at record \(seen)",
                    hint: Self.restoreHint
                )
            case .unrestored:
                CommandFailure(
                    .malformedInput,
                    "the store is a backup that was put back but not restored",
                    hint: "run countersignd restore"
                )
            case .forked(let sequence):
                CommandFailure(
                    .malformedInput,
                    "record \(sequence) of the store differs from the one in its journal",
                    hint: Self.restoreHint
                )
            case .brokenTrail(let sequence):
                CommandFailure(
                    .malformedInput,
                    "record \(sequence) of the audit trail was changed",
                    hint: "countersignd audit verify lists all faults"
                )
            }
    }

    private static let restoreHint = "if the store came from a backup, run countersignd restore"

    /// The table of failures of key files.
    init(_ failure: KeyFile.Failure, ofFileAt path: String) {
        self =
            switch failure {
            case .file(.missing):
                CommandFailure(
                    .noInput,
                    "the key \(path) does not exist",
                    hint: "restore it from the backup of the keys; a new key cannot replace it"
                )
            case .file(let failure): CommandFailure(failure, of: .file(path))
            case .machine(let failure): CommandFailure(failure)
            case .otherNewest(let version):
                CommandFailure(
                    .tryLater,
                    "another process added version \(version) of the encryption key to \(path)",
                    hint: "run countersignd rotate to use that version; no key was removed"
                )
            case .empty: .malformedKey(path, "is empty")
            case .tooLong: .malformedKey(path, "is too long")
            case .malformedLine(let line): .malformedKey(path, "is malformed in line \(line)")
            case .wrongLength(let line):
                .malformedKey(path, "has a key of the wrong length in line \(line)")
            case .repeatedVersion(let version):
                .malformedKey(path, "contains version \(version) twice")
            case .notAKey: .malformedKey(path, "does not contain a key")
            }
    }

    private static func malformedKey(_ path: String, _ fault: String) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "the key file \(path) \(fault)",
            hint: "restore it from the backup of the keys"
        )
    }

    /// The table of failures of the verifier.
    init(_ failure: Verifier.Failure, of configuration: Configuration) {
        let keys = configuration.encryptionKeys
        self =
            switch failure {
            case .store(let failure): CommandFailure(failure, of: Part(configuration.store))
            case .machine(let failure): CommandFailure(failure)
            case .journal(let failure): CommandFailure(failure, of: configuration)
            case .sealedRecord(.keyMissing(let version)):
                CommandFailure(
                    .malformedInput,
                    "version \(version) of the encryption key is not in \(keys)",
                    hint: "restore it from the backup of the keys"
                )
            case .sealedRecord:
                CommandFailure(
                    .malformedInput,
                    "the keys in \(keys) do not match the store",
                    hint: "restore the keys that belong to this store"
                )
            case .policy: CommandFailure(.malformedInput, "the policy breaks a rule")
            }
    }
}
