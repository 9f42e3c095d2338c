import Foundation

/// A line for each outcome, under a head.
enum Table {
    static let head = line("", ["ours", "(least)", "reference", "(least)", "", "ratio"], "target")

    static func line(for outcome: Outcome) -> String {
        let costs = [outcome.ours, outcome.reference].flatMap { [$0.median, $0.minimum] }
        return line(
            outcome.name,
            costs.map { String(format: "%.1f", $0) }
                + [outcome.unit, String(format: "%.3f", outcome.ratio)],
            (outcome.target ?? "-") + (outcome.isMet ? "" : " MISSED")
        )
    }

    private static func line(_ name: String, _ cells: [String], _ target: String) -> String {
        let columns = cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }
        return name.padding(toLength: 36, withPad: " ", startingAt: 0) + columns.joined()
            + "  " + target
    }
}
