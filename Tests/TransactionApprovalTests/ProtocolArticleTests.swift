import Foundation
import Testing
import TransactionApproval

/// The articles name everything that goes over the network by the name that the code has for it.
@Suite struct `The articles of the protocol` {
    private let text: String

    init() throws {
        let catalog = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../../Sources/TransactionApproval/TransactionApproval.docc"
        ).standardized
        text = try ["Protocol", "Activation", "Codes", "CanonicalBytes", "Messages"].map {
            try String(contentsOf: catalog.appendingPathComponent($0 + ".md"), encoding: .utf8)
        }.joined()
    }

    @Test(arguments: Label.allCases)
    func `name each label`(label: Label) {
        #expect(text.contains("`\(label.rawValue)`"))
    }

    @Test(arguments: DeviceRoute.allCases)
    func `name each route and its messages`(route: DeviceRoute) {
        #expect(text.contains("| `\(route.path)` |"))
        #expect(text.contains("\n**\(route.path.dropFirst("/device/v1/".count))**"))
    }

    @Test func `name each refusal with its status`() throws {
        for problem in try MessageValues().everyProblem() {
            #expect(text.contains("| `\(problem.code.rawValue)` | \(problem.status) |"))
        }
    }

    @Test(arguments: RejectionReason.allCases)
    func `name each reason to reject`(reason: RejectionReason) {
        #expect(text.contains("`\(reason.rawValue)`"))
    }

    @Test(arguments: EnrolmentOutcome.allCases)
    func `name each outcome of an enrolment`(outcome: EnrolmentOutcome) {
        #expect(text.contains("| `\(outcome.rawValue)` |"))
    }

    @Test func `name each currency under its exponent`() throws {
        for currency in Currency.all {
            let list = try #require(
                text.range(of: "- \(currency.exponent): [A-Z \n]+", options: .regularExpression)
            )
            #expect(text[list].contains(currency.code), "\(currency)")
        }
    }

    @Test func `name each suite`() {
        for suite in CodeSuite.allCases { #expect(text.contains("`\(suite.rawValue)`")) }
    }
}
