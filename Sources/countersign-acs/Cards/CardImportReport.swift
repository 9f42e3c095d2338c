import CommandLineTool
import ThreeDSIssuer

/// Counts the rows of an import, and reports the skipped rows.
final class CardImportReport {
    private static let maximumShown = 20

    private let name: String
    private let terminal: Terminal
    private let bar: ProgressBar
    private var (added, unchanged, skipped) = (0, 0, 0)
    /// The first failure to write a report: the import continues, and the command then fails.
    private var failure: CommandFailure?

    init(_ name: String, on terminal: Terminal) {
        self.name = name
        self.terminal = terminal
        bar = ProgressBar("Importing", on: terminal)
    }

    func show(_ bytesRead: Int, of byteCount: Int) { bar.show(bytesRead, of: byteCount) }

    func clear() { bar.clear() }

    func note(_ line: Int, _ new: NewCard, _ outcome: NewCard.Outcome) {
        switch outcome {
        case .added: added += 1
        case .exists(let card) where card.account == new.card.account: unchanged += 1
        case .exists(let card): refuse(line, .card(.otherAccount(card.reference)))
        }
    }

    func refuse(_ line: Int, _ refusal: CardRowRefusal) {
        skipped += 1
        guard skipped <= Self.maximumShown else { return }
        clear()
        do throws(CommandFailure) {
            try terminal.messages.print("\(name): line \(line): \(refusal.reason)")
        } catch {
            failure = failure ?? error
        }
    }

    /// A failure that ended the import, with the number of cards that were added before.
    func interruption(by failure: CommandFailure) -> CommandFailure {
        guard added > 0 else { return failure }
        let rest = "\(counted(added, "card")) added before; the import can be repeated"
        let hint = failure.hint.map { "\($0); \(rest)" } ?? rest
        return CommandFailure(failure.exitCode, failure.message, hint: hint)
    }

    /// Prints the counts, and throws if rows were skipped.
    func end() throws(CommandFailure) {
        clear()
        if skipped > Self.maximumShown {
            try terminal.messages.print(
                "\(name): and \(counted(skipped - Self.maximumShown, "more row"))"
            )
        }
        let rest = skipped > 0 ? ", \(counted(skipped, "row")) skipped" : ""
        try terminal.output.print(
            "\(name): \(counted(added, "card")) added, \(unchanged) unchanged\(rest)"
        )
        if let failure { throw failure }
        guard skipped > 0 else { return }
        throw CommandFailure(.malformedInput, "skipped \(counted(skipped, "row"))")
            .suggesting("correct these rows, and repeat the command")
    }
}
