import Testing

/// The rows of docs/security/requirements.md.
private struct Requirements {
    let numbers: [String]
    /// Why a row is wrong.
    let objections: [String]

    /// `tests` are by their paths, so that a row names exactly one file.
    init(_ page: String, tests: [String: String]) {
        let rows = page.matches(of: /(?m)^\| (SEC-\d+) \| (.+) \| (.+) \|$/)
        numbers = rows.map { String($0.1) }
        objections = rows.flatMap { row -> [String] in
            let files = row.3.matches(of: /`([A-Za-z0-9\/]+Tests|\w+Tests\/test_\w+)`/)
                .map { String($0.1) }
            if row.3.hasPrefix("Open") || row.3.hasPrefix("Not applicable:") { return [] }
            if files.isEmpty { return ["\(row.1) is neither shown nor open"] }
            return files.filter { tests[$0]?.contains(row.1) != true }
                .map { "\($0) does not cite \(row.1)" }
        }
    }

    static func cited(in tests: [String: String]) -> Set<String> {
        tests.filter { !exemplary.contains($0.key) }.values.reduce(into: []) { numbers, text in
            numbers.formUnion(text.matches(of: /SEC-\d+/).map { String($0.0) })
        }
    }

    /// Tests of documents, whose numbers are examples.
    private static let exemplary = [
        "ArchitectureTests/DocumentTests", "ArchitectureTests/RequirementTests",
    ]
}

@Suite struct `Security requirements` {
    private let page: String
    private let tests: [String: String]

    init() throws {
        page = try Repository.text(of: "docs/security/requirements.md")
        tests = try Repository.tests()
    }

    @Test func `are shown by a test that cites the number, or marked as open`() {
        let requirements = Requirements(page, tests: tests)
        #expect(requirements.numbers.count > 70)
        #expect(Set(requirements.numbers).count == requirements.numbers.count)
        #expect(requirements.objections == [])
    }

    @Test func `are defined for each number that a test cites`() {
        let cited = Requirements.cited(in: tests)
        #expect(cited.count > 50)
        #expect(cited.subtracting(Requirements(page, tests: tests).numbers) == [])
    }

    @Test(arguments: try DocumentPage.all())
    func `are defined for each number that a page names`(_ page: DocumentPage) {
        let named = Requirements.cited(in: [page.path: page.text])
        #expect(named.subtracting(Requirements(self.page, tests: [:]).numbers) == [])
    }

    @Test func `are reported if no test shows them`() {
        let tests = ["RuleTests/LockTests": "SEC-08", "WebTests/test_locks": "SEC-09"]
        func objections(_ last: String, number: String = "SEC-08") -> [String] {
            Requirements("| \(number) | A rule. | \(last) |", tests: tests).objections
        }
        #expect(objections("`RuleTests/LockTests`") == [])
        #expect(objections("Open. Planned.", number: "SEC-99") == [])
        #expect(
            objections("`RuleTests/LockTests`", number: "SEC-99")
                == ["RuleTests/LockTests does not cite SEC-99"]
        )
        #expect(objections("`LockTests`") == ["LockTests does not cite SEC-08"])
        #expect(objections("`KeyTests`") == ["KeyTests does not cite SEC-08"])
        #expect(objections("soon") == ["SEC-08 is neither shown nor open"])
        #expect(objections("`WebTests/test_locks`", number: "SEC-09") == [])
        #expect(
            objections("`RuleTests/LockTests`, `WebTests/test_locks`")
                == ["WebTests/test_locks does not cite SEC-08"]
        )
        #expect(objections("`PageTests/test_key`") == ["PageTests/test_key does not cite SEC-08"])
        #expect(objections("`WebTests/test_keys`") == ["WebTests/test_keys does not cite SEC-08"])
        #expect(Requirements.cited(in: tests) == ["SEC-08", "SEC-09"])
    }
}
