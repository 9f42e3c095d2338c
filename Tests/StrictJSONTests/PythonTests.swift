import StrictJSON
import TestSupport
import Testing

/// Python's `json` as a second reader: it is more lenient, but must agree on all accepted input.
@Suite struct `JSON in another reader` {
    /// Reads one document per line in hexadecimal, and writes it like our writer, with numbers as
    /// text.
    private static let program = #"""
        import json, sys

        class Number:
            def __init__(self, text):
                self.text = text

        class Object(tuple):
            pass

        def members(pairs):
            if len(dict(pairs)) < len(pairs):
                raise ValueError("repeated name")
            return Object(pairs)

        def refuse(text):
            raise ValueError(text)

        def written(value):
            if isinstance(value, Number):
                return value.text
            if isinstance(value, Object):
                return "{" + ",".join(written(k) + ":" + written(v) for k, v in value) + "}"
            if isinstance(value, list):
                return "[" + ",".join(map(written, value)) + "]"
            return json.dumps(value, ensure_ascii=False)

        for line in sys.stdin:
            value = json.loads(
                bytes.fromhex(line).decode(), object_pairs_hook=members,
                parse_int=Number, parse_float=Number, parse_constant=refuse)
            print(written(value).encode().hex())
        """#

    @Test func `has the same value in thousands of documents`() throws {
        var random = SeededGenerator(seed: 7)
        var inputs: [String] = []
        var outputs: [String] = []
        for _ in 0..<10_000 {
            let document = RandomJSON.document(using: &random)
            guard let value = try? JSONValue(reading: document, limits: .message) else { continue }
            inputs.append(hexadecimal(document))
            outputs.append(hexadecimal(try value.written()))
        }
        #expect((4000...8000).contains(inputs.count), "\(inputs.count): all or none prove little")
        let python = try FinishedProcess.run(
            "python3",
            ["-c", Self.program],
            input: Array(inputs.joined(separator: "\n").utf8)
        )
        #expect(python.exitCode == 0, "\(python.errorOutput)")
        #expect(python.output.split(separator: "\n").map(String.init) == outputs)
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
