import Cryptography
import TestSupport
import Testing

@testable import ThreeDSProtocol

@Suite struct `Challenge forms` {
    private func fields(_ text: String) -> FormFields? { FormFields(reading: Array(text.utf8)) }

    private func form(_ text: String) -> ChallengeForm? {
        fields(text).flatMap { ChallengeForm($0, message: .request) }
    }

    @Test(
        arguments: [
            ("creq=e30", "{}", nil), ("creq=e30&threeDSSessionData=", "{}", ""),
            ("threeDSSessionData=a%2Bb+c&creq=e30", "{}", "a+b c"),
            ("&creq=e30&&x=1&", "{}", nil), ("cr%65q=e30", "{}", nil),
            ("creq=e30&threeDSSessionData=%c3%A9", "{}", "é"),
            // Browsers of peers send padding, escaped or not.
            ("creq=e30%3D", "{}", nil), ("creq=e30=&threeDSSessionData=a", "{}", "a"),
            ("creq=e30K", "{}\n", nil), ("creq=e30KCg%3d%3d", "{}\n\n", nil),
        ] as [(String, String, String?)]
    )
    func `are read`(text: String, message: String, sessionData: String?) throws {
        let form = try #require(self.form(text))
        #expect(form.message == Array(message.utf8))
        #expect(form.sessionData == sessionData)
    }

    @Test(arguments: [
        "", "creq", "creq=", "creq==", "creq====", "creq=e30==", "creq=e30===", "creq=e3=",
        "creq=e3", "creq=e30K=",
        "creq=e30K====", "creq=e30KCg=", "creq=e30KCg===", "creq=e3=0", "creq==e30",
        "creq=e30%3d%0a", "creq=e30%0a", "creq=e30&creq=e30", "CREQ=e30",
        "creq=e3%", "creq=e3%3", "creq=e3%zz", "creq=e30&threeDSSessionData=%ff", "creq=e+0",
        "creq=e30&a=1&a=1", "creq=e31", "cres=e30",
    ])
    func `without a well-formed message are refused`(_ text: String) {
        #expect(form(text) == nil)
    }

    @Test func `SEC-98: have at most 8 KiB`() {
        func padded(_ count: Int) -> String {
            "creq=e30&x=" + String(repeating: "y", count: count - 11)
        }
        #expect(form(padded(8192)) != nil)
        #expect(form(padded(8193)) == nil)
        let names = (0..<65).map { "n\($0)=1" }.joined(separator: "&")
        #expect(fields(names) == nil)
    }

    @Test(arguments: ["x", "é", "%", "\"><script>", "\u{1}", "bWVyY2hhbnQ"])
    func `SEC-90: return session data of at most 1024 bytes as they came`(_ unit: String) throws {
        let count = 1024 / unit.utf8.count
        let data = String(repeating: unit, count: count)
        let escaped = data.utf8.map { byte in
            "%" + TextEncoding.hexadecimal.encode([byte].span)
        }.joined()
        let form = try #require(self.form("creq=e30&threeDSSessionData=\(escaped)"))
        #expect(form.sessionData.map { Array($0.utf8) } == Array(data.utf8))
        let response = ChallengeForm(message: Array("{}".utf8), sessionData: form.sessionData)
        let posted = response.fields(message: .response)
        #expect(posted.map(\.name) == ["cres", "threeDSSessionData"])
        #expect(posted.last.map { Array($0.value.utf8) } == Array(data.utf8))
        let longer = Array(repeating: "y", count: 1025).joined()
        #expect(self.form("creq=e30&threeDSSessionData=\(longer)") == nil)
        #expect(
            !"\(form)\(String(reflecting: form))\(Mirror(reflecting: form).children)".contains(data)
        )
    }

    /// Python's `urllib` as the second reader.
    @Test func `are read like another reader does`() throws {
        var random = SeededGenerator(seed: 5)
        let pieces = [
            "creq", "=", "&", "e30", "%41", "%C3%A9", "+", "a", "%", "%zz", "é",
            "threeDSSessionData",
        ]
        let bodies = (0..<2000).map { _ in
            (0..<Int.random(in: 1...9, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
        }
        let program = """
            import re, sys, urllib.parse
            for line in sys.stdin:
                line = line.rstrip("\\n")
                try:
                    strict = not re.search("%(?![0-9a-fA-F]{2})", line)
                    pairs = urllib.parse.parse_qsl(line, True, errors="strict")
                except UnicodeDecodeError:
                    strict = False
                names = [name for name, _ in pairs]
                valid = strict and len(set(names)) == len(names)
                print(dict(pairs).get("creq", "none").encode().hex() if valid else "refused")
            """
        let python = try FinishedProcess.run(
            "python3",
            ["-c", program],
            input: Array(bodies.joined(separator: "\n").utf8),
            environment: ["PYTHONIOENCODING": "utf-8"]
        )
        let ours = bodies.map { body in
            fields(body).map { fields in
                TextEncoding.hexadecimal.encode(Array((fields["creq"] ?? "none").utf8).span)
            } ?? "refused"
        }
        let theirs = python.output.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        try #require(ours.count == theirs.count, "\(python.errorOutput)")
        for (body, verdicts) in zip(bodies, zip(ours, theirs)) {
            #expect(verdicts.0 == verdicts.1, "\(body)")
        }
    }
}
