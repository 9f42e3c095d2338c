/// The progress of a long task, on one line of the screen that is cleared at the end.
///
/// It writes nothing if no person watches.
package struct ProgressBar: Sendable {
    private static let width = 24

    private let title: String
    private let screen: Output?

    /// `title` is a verb form such as "Verifying".
    package init(_ title: String, on terminal: Terminal) {
        self.title = title
        screen = terminal.isWatched ? terminal.messages : nil
    }

    package func show(_ done: some BinaryInteger, of total: some BinaryInteger) {
        draw(line(UInt64(clamping: done), of: UInt64(clamping: total), "of"))
    }

    /// The same for an estimated total.
    package func show(_ done: some BinaryInteger, ofAbout total: some BinaryInteger) {
        draw(line(UInt64(clamping: done), of: UInt64(clamping: total), "of about"))
    }

    package func clear() {
        draw("")
    }

    /// Replaces the whole line (ECMA-48, EL).
    private func draw(_ line: String) {
        // The task continues without a screen: `try?`.
        try? screen?.write("\r\(line)\u{1B}[K")
    }

    private func line(_ done: UInt64, of total: UInt64, _ of: String) -> String {
        let share = total == 0 ? 1 : min(1, Double(done) / Double(total))
        let filled = Int(share * Double(Self.width))
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: Self.width - filled)
        return "\(title) [\(bar)] \(Int(share * 100)) %, \(done) \(of) \(total)"
    }
}
