import Foundation

/// Prints every breach of the plain-English rules, or lowers the budget to the counts.
///
/// usage: ProseCheck [AREA] | ProseCheck --lower, in the repository's folder
@main
enum ProseCheck {
    static func main() throws {
        let root = URL(filePath: FileManager.default.currentDirectoryPath)
        let repository = ProseRepository(root: root)
        let argument = CommandLine.arguments.dropFirst().first ?? ""
        if argument == "--lower" { return try lowerBudget(of: repository) }
        let hits = try repository.hits(in: argument).sorted { $0.key < $1.key }
        for hit in hits.flatMap(\.value) {
            let finding = hit.finding
            print("\(hit.file):\(finding.line): \"\(finding.quote)\": \(finding.advice)")
        }
        print("\narea, wordings, sentences over \(PlainEnglish.maximumWords) words")
        for (area, hits) in hits {
            let count = ProseBudget.Allowance(hits)
            print(area, count.wordings, count.longSentences)
        }
    }

    private static func lowerBudget(of repository: ProseRepository) throws {
        let file = repository.root.appending(path: ProseBudget.path)
        let counts = try repository.hits().mapValues { ProseBudget.Allowance($0) }
        let budget =
            FileManager.default.fileExists(atPath: file.path)
            ? ProseBudget(text: try String(contentsOf: file, encoding: .utf8)).lowered(to: counts)
            : ProseBudget(counts)
        try budget.text.write(to: file, atomically: true, encoding: .utf8)
    }
}
