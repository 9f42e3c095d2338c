import Foundation
import Testing
import TransactionApproval

/// Compares the lists in `docs/protocol` with the code.
@Suite struct `The protocol pages` {
    static let folder = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../docs/protocol").standardized

    private let text: String

    init() throws {
        text = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
            .filter { $0.hasSuffix(".md") }
            .map { try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8) }
            .joined(separator: "\n")
    }

    @Test(arguments: Label.allCases)
    func `list each label`(label: Label) {
        #expect(text.contains("`\(label.rawValue)`"))
    }

    @Test(arguments: DeviceRoute.allCases)
    func `list each route and its messages`(route: DeviceRoute) {
        #expect(text.contains("| `\(route.path)` |"))
        #expect(text.contains("\n**\(route.shortPath)**"))
    }

    @Test func `list each refusal with its status`() throws {
        for problem in try MessageValues().everyProblem() {
            #expect(text.contains("| `\(problem.code.rawValue)` | \(problem.status) |"))
        }
    }

    @Test(arguments: DeviceRoute.allCases)
    func `list the refusals of each route`(route: DeviceRoute) {
        let refusals = route.refusals.subtracting(DeviceRoute.commonRefusals).map { "`\($0)`" }
        let row = "| `\(route.shortPath)` | \(refusals.sorted().joined(separator: ", ")) |\n"
        #expect(text.contains(row), "\(row)")
    }

    @Test func `list the refusals that all routes share`() {
        let names = DeviceRoute.commonRefusals.map { "`\($0)`" }.sorted()
        let list = names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
        #expect(text.contains("Every route may return \(list).\n"))
    }

    @Test func `list only refusals that a problem document can have`() throws {
        let codes = Set(try MessageValues().everyProblem().map(\.code))
        let listed = DeviceRoute.allCases.reduce(into: Set()) { $0.formUnion($1.refusals) }
        #expect(listed == codes)
    }

    @Test(arguments: RejectionReason.allCases)
    func `list each reason to reject`(reason: RejectionReason) {
        #expect(text.contains("`\(reason.rawValue)`"))
    }

    @Test(arguments: EnrolmentOutcome.allCases)
    func `list each outcome of an enrolment`(outcome: EnrolmentOutcome) {
        #expect(text.contains("| `\(outcome.rawValue)` |"))
    }

    @Test func `list each currency under its exponent`() throws {
        for currency in Currency.all {
            let list = try #require(
                text.range(of: "- \(currency.exponent): [A-Z \n]+", options: .regularExpression)
            )
            #expect(text[list].contains(currency.code), "\(currency)")
        }
    }

    @Test func `list each suite`() {
        for suite in CodeSuite.allCases { #expect(text.contains("`\(suite.rawValue)`")) }
    }

    @Test func `name the Unicode version`() {
        let version = DisplayText.unicodeVersion
        #expect(text.contains("**Unicode \(version.major).\(version.minor)**"))
    }
}

extension DeviceRoute {
    fileprivate var shortPath: Substring { path.dropFirst("/device/v1/".count) }
}
