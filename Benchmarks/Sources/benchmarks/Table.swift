import Foundation

/// The lines of the table that a run prints.
enum Table {
    static let head = line(
        "benchmark",
        ["ours", "(minimum)", "reference", "(minimum)", "", "ratio"],
        "target"
    )

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
        return name.padding(toLength: 50, withPad: " ", startingAt: 0) + columns.joined()
            + "  " + target
    }
}
