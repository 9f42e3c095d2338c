import CommandLineTool
import ConfigurationFiles
import PrivateFiles
import Verification

/// Reports the progress of an import and the skipped rows.
final class LoadReport {
    private static let maximumShown = 20

    private let file: String
    private let terminal: Terminal
    private let bar: ProgressBar
    private let rejections: Output?
    /// Open for as long as `rejections` writes to it.
    private let rejectedFile: PrivateFile?
    private var reported = 0
    /// The row at which the import stopped, with --stop.
    private var stop: UInt64?
    /// The first failure to write a report: the import continues, and the command then fails.
    private var failure: CommandFailure?

    init(file: String, rejected: FilePath?, on terminal: Terminal) throws(CommandFailure) {
        self.file = file
        self.terminal = terminal
        bar = ProgressBar("Importing", on: terminal)
        rejectedFile = try rejected.map { path throws(CommandFailure) in
            try onNewFile(path.shownName, try PrivateFile(appendingTo: path.text))
        }
        rejections = rejectedFile.map {
            Output(to: $0.descriptor.number, named: rejected?.shownName ?? "")
        }
    }

    func show(_ step: BulkLoad.Step, of byteCount: Int) {
        if !step.rejections.isEmpty { clear() }
        for row in step.rejections { report(row) }
        stop = step.rejections.last.flatMap { $0.line > step.record.line ? $0.line : nil }
        // Assumes that the remaining lines have the same average length.
        let share = Double(byteCount) / Double(max(step.bytesLoaded, 1))
        bar.show(step.record.line, ofAbout: UInt64(Double(step.record.line) * share))
    }

    func clear() { bar.clear() }

    private func report(_ row: RejectedRow) {
        reported += 1
        let line = "\(file): line \(row.line): \(row.reason)"
        if let rejections {
            write(line, to: rejections)
        } else if reported <= Self.maximumShown {
            write(line, to: terminal.messages)
        }
    }

    /// Prints the result, and throws if rows were skipped.
    func end(_ record: ImportRecord) throws(CommandFailure) {
        clear()
        try countOthers(record)
        let (accounts, tokens) = (
            counted(record.accounts, "account"), counted(record.tokens, "token")
        )
        let rejected = record.rejected > 0 ? ", \(counted(record.rejected, "row")) skipped" : ""
        try terminal.output.print(
            "\(record.name): \(accounts) and \(tokens) imported\(rejected)"
        )
        if let failure { throw failure }
        if let stop {
            throw CommandFailure(.malformedInput, "stopped at line \(stop)")
                .suggesting("correct the file from this line on, and repeat the command")
        }
        guard record.rejected > 0 else { return }
        throw CommandFailure(.malformedInput, "skipped \(counted(record.rejected, "row"))")
            .suggesting("correct these rows in a new file, and import it")
    }

    /// Prints the number of skipped rows that were not reported.
    private func countOthers(_ record: ImportRecord) throws(CommandFailure) {
        let all = Int(record.rejected) + (stop == nil ? 0 : 1)
        let shown = rejections == nil ? min(reported, Self.maximumShown) : reported
        guard all > shown else { return }
        let way = rejections == nil ? "; repeat the command with --rejected to list them" : ""
        try terminal.messages.print(
            "\(file.onOneLine): and \(counted(all - shown, "more row"))\(way)"
        )
    }

    private func write(_ line: String, to output: Output) {
        do throws(CommandFailure) {
            try output.print(line)
        } catch {
            failure = failure ?? error
        }
    }
}
