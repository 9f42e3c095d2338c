import Cryptography
import PrivateFiles
import Storage
package import Verification

extension JournalFailure {
    /// The failure as a sentence, with a name for the journal.
    package func sentence(about journal: String) -> String {
        switch self {
        case .damagedLine(let line):
            "line \(line) of \(journal) is damaged, or signed by another key"
        case .lostHead: "the head of \(journal) does not exist, or is damaged"
        case .foreign: "\(journal) belongs to another store"
        case .storeInUse: "the store is not empty, but \(journal) does not exist"
        case .behind(let last, let seen):
            "the store ends at record \(last), but its journal ends at record \(seen)"
        case .unrestored: "the store is a backup that was put back but not restored"
        case .forked(let sequence):
            "record \(sequence) of the store differs from the one in its journal"
        case .brokenTrail(let sequence): "record \(sequence) of the audit trail was changed"
        case .damagedTrail(let sequence):
            "record \(sequence) of the store's audit trail is missing, changed or extra"
        case .contradictedRows: "too many rows of the store contradict its audit trail"
        case .file(let failure): failure.sentence(about: journal)
        case .headFile(let failure): failure.sentence(about: "\(journal).head")
        case .store(let failure): failure.sentence(about: "the store")
        case .system(let failure): failure.text
        }
    }
}
