import StrictJSON
import TestSupport
import Testing

@Suite struct `An enumeration in JSON` {
    private enum Choice: String, Codable {
        case accepted, refused
    }

    private struct Object: Codable {
        let choice: Choice
        let list: [Choice]
    }

    private func read(_ choice: String, _ element: String) throws -> Object {
        let text = #"{"choice":"\#(choice)","list":["\#(element)"]}"#
        return try StrictJSON.decode(Object.self, from: Array(text.utf8), limits: .message)
    }

    @Test func `is read by its name`() throws {
        let object = try read("accepted", "refused")
        #expect(object.choice == .accepted)
        #expect(object.list == [.refused])
    }

    /// Swift's comparison of strings sorts combining marks.
    @Test(arguments: [0, 1]) func `is refused in a time that grows with its length`(
        _ place: Int
    ) throws {
        let growth = Growth(from: 4096) {
            combiningMarks(byteCount: $0)
        } _: { text in
            let texts = place == 0 ? (text, "refused") : ("accepted", text)
            #expect(throws: StrictJSON.Failure.self) { try read(texts.0, texts.1) }
        }
        #expect(growth.isLinear, "\(growth)")
    }
}
