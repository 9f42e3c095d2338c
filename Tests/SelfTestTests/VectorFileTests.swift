import SelfTest
import Testing

@Suite struct `Vector files` {
    static let key = "3132333435363738393031323334353637383930"

    @Test func `report for each row whether it has the expected result`() async throws {
        let file = try read(
            #"""
            {"type": "hotp", "source": "here", "cases": [
              {"key_hex": "\#(Self.key)", "counter": "0", "digits": 6, "algorithm": "SHA1",
               "otp": "755224"},
              {"key_hex": "\#(Self.key)", "counter": "0", "digits": 6, "algorithm": "SHA1",
               "otp": "755225"},
              {"key_hex": "\#(Self.key)", "counter": "-1", "digits": 6, "algorithm": "SHA1",
               "expect": "reject"},
              {"key_hex": "\#(Self.key)", "counter": "1", "digits": 6, "algorithm": "SHA1",
               "expect": "reject"}
            ]}
            """#
        )
        #expect(file.rows == 1...4)
        #expect(try await file.passes(row: 1))
        #expect(try await !file.passes(row: 2), "a wrong code")
        #expect(try await file.passes(row: 3))
        #expect(try await !file.passes(row: 4), "accepted, though it must be refused")
    }

    @Test func `fail a row that is refused instead of accepted`() async throws {
        let file = try read(
            #"""
            {"type": "hotp", "source": "here", "cases": [
              {"key_hex": "00", "counter": "0", "digits": 6, "algorithm": "SHA1", "otp": "755224"}
            ]}
            """#
        )
        #expect(try await !file.passes(row: 1))
    }

    @Test(
        arguments: [
            ("", nil, "at byte 0 it is not JSON"),
            (#"{"type": "hotp", "source"}"#, nil, "at byte 25 it is not JSON"),
            (String(repeating: "[", count: 9), nil, "at byte 8 it is too large or too deep"),
            (#"{"type": "hotp", "type": "hotp"}"#, nil, "the object at byte 0 has a field twice"),
            (
                #"{"type": "hotp", "source": "", "cases": [{"otp": 1, "\u006ftp": 1}]}"#, nil,
                "the object at byte 41 has a field twice"
            ),
            (
                #"{"type": "hotp", "source": "", "cases": [{}], "more": 1}"#, nil,
                #"the field "more" is unknown"#
            ),
            (
                #"{"type": "hotp", "source": "", "note": 1, "cases": [{}]}"#, nil,
                #"the field "note" has the wrong kind"#
            ),
            (#"{"type": "hotp", "source": "", "cases": [1]}"#, 1, "the case has the wrong kind"),
            ("[]", nil, "the document has the wrong kind"),
            (#"{"type": "hotp", "cases": []}"#, nil, #"the field "source" is missing"#),
            (#"{"type": "hotp", "source": "", "cases": []}"#, nil, "it has no cases"),
            (
                #"{"type": "hopt", "source": "", "cases": [{}]}"#, nil,
                #"the type "hopt" is unknown"#
            ),
            (row(#""bytes_hex": """#), 2, #"the field "text" is missing"#),
            (row(#""text": "MY""#), 2, #"the field "bytes_hex" is missing"#),
            (row(#""text": 1, "bytes_hex": """#), 2, #"the field "text" has the wrong kind"#),
            (
                row(#""text": "", "bytes_hex": "0""#), 2,
                #"the field "bytes_hex" has the wrong kind"#
            ),
            (
                row(#""text": "", "bytes_hex": "AA""#), 2,
                #"the field "bytes_hex" has the wrong kind"#
            ),
            (row(#""text": null, "bytes_hex": """#), 2, #"the field "text" has the wrong kind"#),
            (row(#""text": 1.0, "bytes_hex": """#), 2, #"the field "text" has the wrong kind"#),
            (row(#""text": [], "bytes_hex": """#), 2, #"the field "text" has the wrong kind"#),
            (row(#""text": "", "bytes_hex": "", "x": 1"#), 2, #"the field "x" is unknown"#),
            (row(#""text": "", "expect": "maybe""#), 2, #"the field "expect" must be "reject""#),
            (row(#""text": "", "expect": "accept""#), 2, #"the field "expect" must be "reject""#),
            (
                row(#""text": "", "expect": "reject", "bytes_hex": """#), 2,
                #"the field "bytes_hex" is unknown"#
            ),
        ] as [(String, Int?, String)]
    )
    func `with errors are rejected by row and field`(
        text: String,
        row: Int?,
        reason: String
    ) {
        #expect(throws: VectorFile.Failure(row: row, reason: reason)) { try read(text) }
    }

    /// A base32 file with this second row.
    private static func row(_ fields: String) -> String {
        #"""
        {"type": "base32", "source": "", "cases": [{"text": "", "bytes_hex": ""}, {\#(fields)}]}
        """#
    }

    @discardableResult
    private func read(_ text: String) throws -> VectorFile {
        try VectorSet.approvals.read(Array(text.utf8))
    }
}
