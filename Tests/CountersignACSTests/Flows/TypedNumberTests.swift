import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers)
struct `SEC-87: The number that a person types` {
    private let pushes: TestServer
    private let premises: IssuerPremises

    init() throws {
        pushes = try TestServer(nil, ["--relay"])
        premises = try IssuerPremises(
            of: .pushing(to: pushes, #"{"numberMatchingDigits": 6}"#)
        )
        let on = try premises.person.countersign("notifications", "on")
        try #require(on.exitCode == 0, "\(on.errorOutput)")
    }

    /// The body of the next push.
    private func push() async throws -> String {
        let request = try await pushes.request()
        let head = "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"
        try pushes.respond(with: Array(head.utf8))
        return String(decoding: request.body, as: UTF8.self)
    }

    private func approve(typing number: Substring) throws {
        let session = try premises.person.onTerminal("approve")
        try session.wait(for: "(yes/no) ", typing: "yes\n")
        try session.wait(for: "number that the bank shows: ", typing: "\(number)\n")
        try session.wait(for: "PIN: ", typing: Person.pin + "\n")
        #expect(try session.end() == 0)
        // The device never shows it: only the echo of its prompt has it.
        #expect(session.screen.components(separatedBy: number).count == 2)
    }

    @Test func `is on the page of the challenge, and nowhere else`() async throws {
        var numbers: [Substring] = []
        var others: [String] = []
        for channel in ["app", "browser"] {
            let purchase = try Purchase(in: premises, channel: channel)
            let text: String
            if channel == "app" {
                text = try purchase.creq("show").text("cres", "challengeInfoText") ?? ""
            } else {
                let page = try purchase.browser("open")
                text = (page["texts"] as? [String] ?? []).joined(separator: "\n")
                others.append("\(page["address"] ?? "")")
            }
            let number = try #require(text.firstMatch(of: /\b\d{6}\b/)?.0, "\(text)")
            numbers.append(number)
            others.append(try await push())
            try approve(typing: number)
            others.append("\(try purchase.result())")
            if channel == "app" {
                let end = try purchase.creq("continue")
                #expect(end.text("cres", "transStatus") == "Y")
                others.append("\(end.members)")
            }
        }
        #expect(others[0].contains("transaction.created"), "\(others[0])")
        others.append(try premises.folder.run("challenge", "list", "--all", "--json").output)
        others.append(try premises.folder.run("audit", "list").output)
        let (exitCode, log) = try premises.stop()
        #expect(exitCode == 0 && log.contains { $0.contains("POST /3ds/challenge") })
        others += log + [try premises.person.bank.log()]
        // Six digits can be a part of an id or of a time.
        for number in try numbers.map({ try Regex("\\b\($0)\\b") }) {
            for text in others.map(\.withoutRandomValues) {
                #expect(!text.contains(number), "\(text)")
            }
        }
    }
}
