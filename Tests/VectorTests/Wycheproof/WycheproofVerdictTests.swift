import Cryptography
import Foundation
import Testing

// These tests show that a wrong row is noticed.
@Suite struct `A row of Wycheproof` {
    private static let right =
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    private static let wrong =
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3842"

    @Test(
        arguments: [
            ("valid", right, nil),
            ("valid", wrong, "valid, but refused"),
            ("invalid", wrong, nil),
            ("invalid", right, "invalid, but accepted"),
            ("acceptable", right, nil),
            ("acceptable", wrong, nil),
        ] as [(String, String, String?)]
    )
    func `is checked by its expected result`(result: String, tag: String, problem: String?) throws {
        let verdict = try verdict(result: result, tag: tag)
        #expect(verdict.checkedCount == 1)
        #expect(verdict.problems.count == (problem == nil ? 0 : 1))
        #expect(verdict.problems.first?.hasSuffix(problem ?? "") != false)
    }

    @Test(arguments: ["valid", "invalid", "acceptable"])
    func `must be refused if policy refuses it, whatever it expects`(result: String) throws {
        let accepted = try verdict(result: result, tag: Self.right, scope: .refusedByPolicy)
        #expect(accepted.problems.contains { $0.contains("though no such size or form is") })
        let refused = try verdict(result: result, tag: Self.wrong, scope: .refusedByPolicy)
        #expect(refused.problems == ["no row was checked"])
        #expect(refused.refusedByPolicyCount == 1)
    }

    @Test func `is counted if it is not run, and such rows alone do not pass`() throws {
        let verdict = try verdict(result: "valid", tag: Self.wrong, scope: .notRun)
        #expect(verdict.notRunCount == 1)
        #expect(verdict.problems == ["no row was checked"])
    }

    @Test func `is missed if it is announced but missing`() throws {
        let verdict = try verdict(result: "valid", tag: Self.right, announced: 2)
        #expect(verdict.problems == ["2 rows are announced"])
    }

    @Test func `is invalid with an unknown result or malformed bytes`() {
        #expect(throws: DecodingError.self) {
            _ = try verdict(result: "maybe", tag: Self.right)
        }
        #expect(throws: CryptographyFailure.malformedEncoding(offset: 2)) {
            _ = try verdict(result: "valid", tag: "00g0")
        }
    }

    private struct Fields: Decodable {
        let tag: Hexadecimal
    }

    /// The result for one row that expects `tag` as the MAC of RFC 4231, case 2.
    private func verdict(
        result: String,
        tag: String,
        announced: Int = 1,
        scope: WycheproofScope = .checked
    ) throws -> WycheproofVerdict {
        let text = """
            {"numberOfTests": \(announced), "testGroups": [{"tests": [
              {"tcId": 1, "comment": "", "flags": [], "tag": "\(tag)", "result": "\(result)"}
            ]}]}
            """
        let file = try JSONDecoder().decode(
            WycheproofFile<NoParameters, Fields>.self,
            from: Data(text.utf8)
        )
        let key = Array("Jefe".utf8)
        let message = Array("what do ya want for nothing?".utf8)
        return WycheproofVerdict(on: file, scope: { _, _ in scope }) {
            _,
            row throws(CryptographyFailure) in
            let mac = try HMAC(.sha256, key: try SecureBytes(copying: key.span))
            return try mac.authenticate(message.span).array == row.tag.bytes
        }
    }
}
