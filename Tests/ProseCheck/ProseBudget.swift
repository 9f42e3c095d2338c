import Foundation

/// How many breaches each area may have: a number that only goes down.
package struct ProseBudget: Equatable {
    package struct Allowance: Equatable {
        package var wordings = 0
        package var longSentences = 0

        package init(wordings: Int = 0, longSentences: Int = 0) {
            self.wordings = wordings
            self.longSentences = longSentences
        }

        package init(_ hits: [ProseRepository.Hit]) {
            wordings = hits.count { $0.finding.kind == .wording }
            longSentences = hits.count { $0.finding.kind == .longSentence }
        }
    }

    package static let path = "Tests/ArchitectureTests/prose-budget.txt"

    /// How far an allowance may be above the count, so that not every edit changes the table.
    package static let slack = 10

    package var allowances: [String: Allowance] = [:]

    package init(_ allowances: [String: Allowance]) {
        self.allowances = allowances
    }

    package init(text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            guard parts.count == 3, let wordings = Int(parts[1]), let long = Int(parts[2]) else {
                continue
            }
            allowances[String(parts[0])] = Allowance(wordings: wordings, longSentences: long)
        }
    }

    package var text: String {
        let rows = allowances.filter { $0.value != Allowance() }.sorted { $0.key < $1.key }.map {
            "\($0.key) \($0.value.wordings) \($0.value.longSentences)\n"
        }
        return "# area, wordings, sentences over \(PlainEnglish.maximumWords) words;"
            + " `make prose-budget` lowers them\n" + rows.joined()
    }

    /// Every area whose count is above its allowance, or further below it than the slack.
    package func objections(to counts: [String: Allowance]) -> [String] {
        Set(allowances.keys).union(counts.keys).sorted().flatMap { area in
            let allowed = allowances[area] ?? Allowance()
            let counted = counts[area] ?? Allowance()
            return [
                objection("wordings", in: area, counted.wordings, allowed.wordings),
                objection("long sentences", in: area, counted.longSentences, allowed.longSentences),
            ].compactMap(\.self)
        }
    }

    private func objection(_ kind: String, in area: String, _ count: Int, _ allowed: Int) -> String?
    {
        if count > allowed {
            return "\(area): \(count) \(kind), only \(allowed) allowed; run make prose AREA=\(area)"
        }
        if count < allowed - Self.slack {
            return "\(area): \(count) \(kind), \(allowed) allowed; run make prose-budget"
        }
        return nil
    }

    /// The budget with each allowance lowered to its count; none is ever raised.
    package func lowered(to counts: [String: Allowance]) -> ProseBudget {
        var lowered = self
        for (area, allowed) in allowances {
            let counted = counts[area] ?? Allowance()
            lowered.allowances[area] = Allowance(
                wordings: min(allowed.wordings, counted.wordings),
                longSentences: min(allowed.longSentences, counted.longSentences)
            )
        }
        return lowered
    }
}
