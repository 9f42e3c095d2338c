import TransactionApproval
import Verification

extension AuditFinding {
    static let unauthenticState =
        "verifier id=1: another program wrote this row, or the encryption keys are old, or those of "
        + "another store"

    /// For an operator.
    var text: String {
        let record = "record \(sequence)"
        return switch kind {
        case .malformed: "\(record): malformed"
        case .outOfSequence: "\(record): missing, or replaced by another record"
        case .brokenLink: "\(record): changed, or inserted after another record"
        case .endsElsewhere: "\(record): the end of the trail does not match the store"
        case .forked(let last):
            "\(record): differs from the journal; the last matching record is \(last)"
        case .lacksReturned: "\(record): missing, although its result was returned"
        case .lostHead:
            "no record: the file with the last head, next to the journal, is missing or damaged"
        case .followed(let row):
            "\(visible(row)): open, although a later activation was issued for its account"
        case .unauthenticState: Self.unauthenticState
        case .foreignJournal: "no record: the journal belongs to another store"
        case .unrestored: "\(record): the end of a backup that was not restored"
        case .contradicted(let row): "\(record): differs from the store in \(visible(row))"
        case .forged(let row): "\(visible(row)): another program wrote this row"
        case .unopened(let row): "\(visible(row)): its secret was changed, emptied or moved"
        case .unproven(let row): "\(visible(row)): no valid signature by the key of its device"
        case .archivedEarly(let row): "\(record): \(visible(row)) was archived too early"
        case .wroteOver(let row): "\(record): overwrote a different value in \(visible(row))"
        case .unrecorded(let row): "no record: \(visible(row)) has no audit record"
        case .missing(let row): "\(record): \(visible(row)) is missing from the store"
        }
    }
}

/// The detail of the record of a restore, for an operator.
///
/// Any other text stays as it is: another program may have written it.
func textOfRestore(_ detail: String) -> String {
    let words = detail.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count >= 4, words[0] == "epoch", let epoch = UInt64(words[1]), words[2] == "lost"
    else { return visible(detail) }
    if words.count == 4, words[3] == "unknown" { return "epoch \(epoch); the journal was lost" }
    guard words.count == 5, let end = UInt64(words[3]) else { return visible(detail) }
    return "epoch \(epoch); the journal ended at record \(end)"
}
