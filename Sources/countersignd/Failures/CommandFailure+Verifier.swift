import CommandLineTool
import OneTimePassword
import Verification

extension CommandFailure {
    init(_ failure: JournalFailure, of configuration: Configuration) {
        let journal = configuration.journal
        switch failure {
        case .file(.missing):
            self.init(
                .noInput,
                "the journal \(journal) is not there",
                hint: "look for it first; if it is lost, run countersignd restore --journal-lost"
            )
        case .file(let failure): self.init(failure, of: .file(journal))
        case .store(let failure): self.init(failure, of: Part(configuration.store))
        case .machine(let failure): self.init(failure)
        case .damagedLine(let line):
            self.init(
                .malformedInput,
                "the journal \(journal) is damaged in line \(line), or signed by another key",
                hint: "put a copy of it back, or look at checkpointKey in the configuration"
            )
        case .foreign:
            self.init(
                .malformedInput,
                "the journal \(journal) is that of another store",
                hint: "look whether the configuration names the right ones"
            )
        case .storeInUse:
            self.init(
                .cannotCreate,
                "the store is in use, and no journal of it is at \(journal)",
                hint: Part(configuration.store) == .postgreSQL
                    ? "for one more verifier of it, run countersignd init --join; if it came from a "
                        + "backup and the journal is lost, countersignd restore --journal-lost"
                    : "look for it first; if it is lost, run countersignd restore --journal-lost"
            )
        case .behind(let store, let seen):
            self.init(
                .malformedInput,
                "the store ends at record \(store), but its journal has seen record \(seen)",
                hint: "if it came from a backup, run countersignd restore"
            )
        case .unrestored:
            self.init(
                .malformedInput,
                "the store is a backup that was put back, and is older than it looks",
                hint: "run countersignd restore"
            )
        case .forked(let sequence):
            self.init(
                .malformedInput,
                "record \(sequence) of the store is not the one that its journal has seen",
                hint: "if it came from a backup, run countersignd restore"
            )
        case .brokenTrail(let sequence):
            self.init(
                .malformedInput,
                "record \(sequence) of the store's audit trail was changed",
                hint: "countersignd audit verify tells what else was"
            )
        }
    }

    init(_ failure: KeyFile.Failure, ofFileAt path: String) {
        switch failure {
        case .file(.missing):
            self.init(
                .noInput,
                "the key \(path) is not there",
                hint: "put it back from where keys are kept; a new one would open nothing"
            )
        case .file(let failure): self.init(failure, of: .file(path))
        case .machine(let failure): self.init(failure)
        case .otherNewest(let version):
            self.init(
                .tryLater,
                "version \(version) of the encryption key was added to \(path) meanwhile",
                hint: "nothing was removed; countersignd rotate moves everything to that one first"
            )
        case .tooLong, .empty, .malformedLine, .wrongLength, .repeatedVersion, .notAKey:
            self.init(
                .malformedInput,
                "the key file \(path) \(failure.reason)",
                hint: "put it back from where keys are kept"
            )
        }
    }

    init(_ failure: Verifier.Failure, of configuration: Configuration) {
        switch failure {
        case .store(let failure): self.init(failure, of: Part(configuration.store))
        case .machine(let failure): self.init(failure)
        case .journal(let failure): self.init(failure, of: configuration)
        case .sealedRecord(.keyMissing(let version)):
            self.init(
                .malformedInput,
                "version \(version) of the encryption key is not in "
                    + configuration.encryptionKeys,
                hint: "put it back from where keys are kept"
            )
        case .sealedRecord:
            self.init(
                .malformedInput,
                "the keys in \(configuration.encryptionKeys) are not those of the store",
                hint: "put those back that the store was begun with, or were added since"
            )
        case .policy: self.init(.malformedInput, "the policy breaks a rule")
        }
    }
}

extension KeyFile.Failure {
    fileprivate var reason: String {
        switch self {
        case .empty: "is empty"
        case .tooLong: "is longer than any of ours"
        case .malformedLine(let line): "is malformed in line \(line)"
        case .wrongLength(let line): "holds a key of another length in line \(line)"
        case .repeatedVersion(let version): "holds version \(version) twice"
        case .file, .machine, .otherNewest, .notAKey: "holds no key"
        }
    }
}
