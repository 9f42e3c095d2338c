import CommandLineTool
import Glibc
import Verification

/// Tells a person how loading goes, and which rows were left out.
final class LoadReport {
    private static let maximumShown = 20

    private let file: String
    private let terminal: Terminal
    private let bar: ProgressBar
    private let rejections: Output?
    private var named = 0
    /// The row that loading ended before, as it was asked to.
    private var stop: UInt64?
    /// The first failure to say what was left out: the rows themselves are loaded all the same.
    private var failure: CommandFailure?

    init(file: String, rejected: FilePath?, on terminal: Terminal) throws(CommandFailure) {
        self.file = file
        self.terminal = terminal
        bar = ProgressBar("Loading", on: terminal)
        rejections = try rejected.map { path throws(CommandFailure) in
            try Output(appendingTo: path)
        }
    }

    func show(_ step: BulkLoad.Step, of byteCount: Int) {
        if !step.rejections.isEmpty { clear() }
        for row in step.rejections { name(row) }
        stop = step.rejections.last.flatMap { $0.line > step.record.line ? $0.line : nil }
        // The lines that are still to come are taken to be as long as those so far.
        let share = Double(byteCount) / Double(max(step.bytesLoaded, 1))
        bar.show(step.record.line, ofAbout: UInt64(Double(step.record.line) * share))
    }

    func clear() { bar.clear() }

    private func name(_ row: RejectedRow) {
        named += 1
        let line = "\(file): line \(row.line): \(row.reason)"
        if let rejections {
            say(line, to: rejections)
        } else if named <= Self.maximumShown {
            say(line, to: terminal.messages)
        }
    }

    /// Says what is in the store now, and ends badly where a row is not.
    func end(_ record: ImportRecord) throws(CommandFailure) {
        clear()
        try countOthers(record)
        let (accounts, tokens) = (
            counted(record.accounts, "account"), counted(record.tokens, "token")
        )
        let rejected = record.rejected > 0 ? ", \(counted(record.rejected, "row")) left out" : ""
        try terminal.output.print("\(record.name): \(accounts) and \(tokens) loaded\(rejected)")
        if let failure { throw failure }
        if let stop {
            throw CommandFailure(
                .malformedInput,
                "stopped at line \(stop)",
                hint: "correct the file from there on and repeat the command"
            )
        }
        guard record.rejected > 0 else { return }
        throw CommandFailure(
            .malformedInput,
            "not loaded: \(counted(record.rejected, "row"))",
            hint: "correct these rows in a file of their own and load that"
        )
    }

    /// Says how many rows were left out beside those that were named here.
    private func countOthers(_ record: ImportRecord) throws(CommandFailure) {
        let all = Int(record.rejected) + (stop == nil ? 0 : 1)
        let shown = rejections == nil ? min(named, Self.maximumShown) : named
        guard all > shown else { return }
        let way = rejections == nil ? "; repeat the command with --rejected to have them" : ""
        try terminal.messages.print("\(file): and \(counted(all - shown, "more row"))\(way)")
    }

    private func say(_ line: String, to output: Output) {
        do throws(CommandFailure) {
            try output.print(line)
        } catch {
            failure = failure ?? error
        }
    }
}

extension Output {
    /// Appends to a file of the caller's own.
    fileprivate init(appendingTo path: FilePath) throws(CommandFailure) {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(path.text, flags, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .cannotCreate,
                "cannot open \(path.shownName): \(String(cString: strerror(errno)))"
            )
        }
        self.init(to: descriptor, named: path.shownName)
    }
}
