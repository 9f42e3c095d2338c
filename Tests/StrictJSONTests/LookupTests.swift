import StrictJSON
import TestSupport
import Testing

@Suite struct `Members of an object` {
    private func object(_ text: String) throws -> JSONValue {
        try JSONValue(
            reading: Array(text.utf8),
            limits: .init(byteCount: 1 << 20, depth: 4, valueCount: 100)
        )
    }

    @Test func `are found by the bytes of their name`() throws {
        let object = try object(#"{"\u212a":1,"K":2,"e\u0301":3,"\u00e9":4,"q\u0307\u0323":5}"#)
        #expect(object["K"]?.integer == 2)
        #expect(object["\u{212a}"]?.integer == 1)
        #expect(object["\u{e9}"]?.integer == 4)
        #expect(object["e\u{301}"]?.integer == 3)
        #expect(object["q\u{307}\u{323}"]?.integer == 5)
        #expect(object["q\u{323}\u{307}"]?.integer == nil)
        #expect(object["xK".dropFirst()]?.integer == 2)
        #expect(object["k"]?.integer == nil && object[""]?.integer == nil)
    }

    @Test func `are found in a time that grows with their length`() throws {
        let growth = try Growth(from: 4096) { size in
            let name = combiningMarks(byteCount: size)
            // Four names of the same length are not hashed.
            let names = ["a", "b", "c", "d"].map { "\"\(name)\($0)\":1" }
            return "{" + names.joined(separator: ",") + "}"
        } _: { text in
            let object = try object(text)
            #expect(object["member"]?.integer == nil)
            #expect(object[combiningMarks(byteCount: text.utf8.count / 4 - 16)] == nil)
            _ = try object.written()
        }
        #expect(growth.isLinear, "\(growth)")
    }
}

extension JSONValue {
    fileprivate var integer: Int? {
        if case .number(let number) = self { number.integer() } else { nil }
    }
}
