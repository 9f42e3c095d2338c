import ConfigurationFiles
import Foundation
import TestSupport
import Testing

@testable import countersign_acs

@Suite struct `The configuration reference of the ACS` {
    private static let table = ConfigurationTable.acs

    private func printed() throws -> String {
        let run = try FinishedProcess.run(ACSFolder.program, ["reference", "configuration"])
        #expect(run.exitCode == 0)
        return run.output
    }

    @Test func `is the page in docs`() throws {
        let path = URL(filePath: #filePath)
            .appending(path: "../../../docs/operate/acs-configuration.md")
        let stored = try String(contentsOf: path.standardized, encoding: .utf8)
        let command = "countersign-acs reference configuration >docs/operate/acs-configuration.md"
        #expect(try printed() == stored, "run \(command)")
    }

    @Test func `has every member of the sample that the tests read`() throws {
        let page = try printed()
        for name in SampleConfiguration.text.matches(of: /"(\w+)":/).map(\.1) {
            #expect(page.contains(try Regex("\\| `([\\w.]+\\.)?\(name)` \\|")), "\(name)")
        }
    }

    @Test(arguments: table.places.map(\.path))
    func `describes every member, which the initial file shows`(_ path: String) throws {
        let place = try #require(Self.table.places.first { $0.path == path })
        #expect(try printed().contains("| `\(path)` | "))
        #expect(place.member.text.hasSuffix(".") && place.member.text.count < 400)
        #expect(Self.table.initialFile.contains("\"\(place.member.name)\""))
    }

    @Test func `has a variable for each member outside of arrays`() throws {
        let places = Self.table.places.filter(\.hasVariable)
        #expect(Set(places.map(\.variable)).count == places.count)
        let help = try FinishedProcess.run(ACSFolder.program, ["help", "init"]).output
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for place in places { #expect(help.contains(place.variable)) }
        for place in Self.table.places {
            #expect(place.hasVariable != place.path.hasPrefix("directories."), "\(place.path)")
        }
    }
}
