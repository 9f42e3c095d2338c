import StrictJSON
import TestSupport
import Testing

@testable import ThreeDSProtocol

@Suite struct `The time to read a message` {
    private func growth(_ sample: SampleMessage, _ text: (Int) -> String) throws -> Growth {
        let reader = MessageReader(for: sample.receiver)
        return try Growth(from: 4096) {
            Array(text($0).utf8)
        } _: { bytes in
            // Accepted or refused: both must be fast.
            do throws(MessageReader.Failure) {
                _ = try reader.read(bytes, as: [sample.type], in: sample.context)
            } catch {
                guard case .fault = error else { throw error }
            }
        }
    }

    private static let samples = Scenarios.all.filter { $0.version == .twoThree }
    private static let oneOfEach = MessageType.allCases.flatMap { type in
        samples.filter { $0.type == type }.suffix(type == .areq ? 3 : 1)
    }

    @Test func `SEC-98: grows with the count of members`() throws {
        let sample = try #require(Self.oneOfEach.first)
        let start = sample.members.document.dropLast()
        let growth = try growth(sample) { size in
            let names = (0..<size / 12).map { "\"n\($0)\":\"x\"" }
            return start + "," + names.joined(separator: ",") + "}"
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test(arguments: oneOfEach)
    func `grows with the length of a name`(_ sample: SampleMessage) throws {
        let rest = sample.members.document.dropFirst()
        for (first, second) in [(1, "2"), (3, "null"), (4, #"{"id":"x"}"#)] {
            let growth = try growth(sample) { size in
                let name = combiningMarks(byteCount: size / 2)
                // Two names of the same length, at the start of the message and of an object.
                return
                    "{\"\(name)a\":\(first),\"\(name)b\":{\"\(name)a\":1,\"\(name)b\":\(second)},"
                    + rest
            }
            try #require(growth.isLinear, "\(growth)")
        }
    }

    @Test(arguments: oneOfEach)
    func `grows with the length of a repeated name`(_ sample: SampleMessage) throws {
        let rest = sample.members.document.dropFirst()
        let growth = try growth(sample) { size in
            let name = combiningMarks(byteCount: size / 2)
            return "{\"\(name)\":1,\"\(name)\":2," + rest
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test(arguments: oneOfEach)
    func `grows with the length of a value`(_ sample: SampleMessage) throws {
        for index in sample.members.indices {
            let name = sample.members[index].name
            for value in places(below: sample.members[index].value) {
                let growth = try growth(sample) { size in
                    var members = sample.members
                    members[index] = .init(
                        name: name,
                        value: value(combiningMarks(byteCount: size))
                    )
                    return members.document
                }
                try #require(growth.isLinear, "\(name): \(growth)")
            }
        }
    }

    /// The text in the place of the value, and of each text in it.
    private func places(below value: JSONValue) -> [(String) -> JSONValue] {
        let whole: (String) -> JSONValue = { .string($0) }
        switch value {
        case .object(let members):
            return [whole]
                + members.indices.flatMap { index in
                    places(below: members[index].value).map { place in
                        { text in
                            var members = members
                            let name = members[index].name
                            members[index] = .init(name: name, value: place(text))
                            return .object(members)
                        }
                    }
                }
        case .array(let elements):
            guard let first = elements.first else { return [whole] }
            return [whole] + places(below: first).map { place in { .array([place($0)]) } }
        default: return [whole]
        }
    }

    @Test func `grows with the length of the ID of a critical extension`() throws {
        let sample = try #require(Self.oneOfEach.first)
        for recognised in [[], ["X"]] as [Set<String>] {
            let reader = MessageReader(for: sample.receiver, recognisedExtensions: recognised)
            let growth = Growth(from: 4096) { size in
                let id = combiningMarks(byteCount: size)
                let element = #"{"name":"n","criticalityIndicator":true,"id":"\#(id)","data":{}}"#
                return Array(
                    (sample.members.filter { $0.name != "messageExtension" }.document.dropLast()
                        + #","messageExtension":[\#(element)]}"#).utf8
                )
            } _: { bytes in
                #expect(throws: MessageReader.Failure.self) {
                    try reader.read(bytes, as: [sample.type], in: .first)
                }
            }
            #expect(growth.isLinear, "\(growth)")
        }
    }

    @Test(arguments: ["messageVersion", "threeDSServerTransID"])
    func `SEC-98: grows with the length of a value, also for a fault of the receiver`(
        _ name: String
    ) {
        let growth = Growth(from: 4096) { size in
            Array(#"{"\#(name)":"\#(combiningMarks(byteCount: size))"}"#.utf8)
        } _: { body in
            let fault = MessageFault(.accessDenied, claimedIn: body, as: .areq)
            #expect(fault.version == .twoTwo && fault.ids == TransactionIDs())
        }
        #expect(growth.isLinear, "\(growth)")
    }
}
