import StrictJSON
import TestSupport
import Testing

@testable import ThreeDSProtocol

/// A second reader in Python, with a table of its own, gives the verdict for each message.
@Suite struct `Data elements` {
    private func compare(_ cases: [JudgedCase]) throws -> [String: Int] {
        let expected = try JudgedCase.referenceVerdicts(cases)
        try #require(expected.count == cases.count)
        var counts: [String: Int] = [:]
        for (judged, expected) in zip(cases, expected) {
            let verdict = try judged.verdict()
            #expect(verdict == expected, "\(judged.sample.testDescription): \(judged.name)")
            counts[String(expected.prefix { $0 != " " }), default: 0] += 1
        }
        return counts
    }

    @Test func `of a message that has all of them are accepted`() throws {
        let cases = Scenarios.all.map {
            JudgedCase(name: "whole", text: $0.members.document, sample: $0)
        }
        #expect(cases.count > 150)
        #expect(try compare(cases) == ["ok": cases.count])
    }

    @Test func `are each in a sample`() {
        for version in ProtocolVersion.allCases {
            for type in MessageType.allCases {
                let samples = Scenarios.all.filter { $0.type == type && $0.version == version }
                let names = Set(samples.flatMap { $0.members.map(\.name) })
                let rows = FieldTable.rows(of: type, in: version)
                #expect(rows.names.subtracting(names) == [], "\(type) \(version)")
            }
        }
    }

    @Test func `that are missing, empty, repeated, too long or of another type are reported`()
        throws
    {
        var random = SeededGenerator(seed: 3)
        let share = Proof.isComplete ? 5 : 400
        let cases = Scenarios.all.flatMap { sample in
            Mutation.all(of: sample, oneOf: share, using: &random)
        }
        let counts = try compare(cases)
        #expect(cases.count > (Proof.isComplete ? 100_000 : 1200))
        let codes: Set = ["ok", "101", "102", "201", "203", "204", "207", "304"]
        #expect(codes.subtracting(counts.keys) == [], "\(counts)")
    }

    @Test func `have the same limits in both tables`() throws {
        let counts = try compare(Limit.cases(of: Scenarios.all))
        #expect(counts["ok"] ?? 0 > 400, "\(counts)")
        #expect(counts["203"] ?? 0 > 400, "\(counts)")
    }

    @Test func `that are each missing are reported`() throws {
        let counts = try compare(Mutation.missing(of: Scenarios.all))
        #expect(counts["201"] ?? 0 > 250)
    }

    @Test func `of another version or message are ignored`() throws {
        let cases = Scenarios.all.map { sample in
            let own = FieldTable.rows(of: sample.type, in: sample.version).names
            let others = FieldTable.rows.filter { !own.contains($0.name) }
                .map { JSONValue.Member(name: $0.name, value: .number(JSONNumber(1))) }
            var seen = own
            let members = sample.members + others.filter { seen.insert($0.name).inserted }
            let text = JSONValue.object(members).document
            return JudgedCase(name: "others", text: text, sample: sample)
        }
        #expect(try compare(cases) == ["ok": cases.count])
    }
}
