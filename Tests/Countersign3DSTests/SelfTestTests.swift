import TestSupport
import Testing

@Suite struct `countersign-3ds selftest` {
    @Test func `passes its own vectors, and only these`() throws {
        let selfTest = try CardProgram.run(["selftest"])
        #expect((selfTest.exitCode, selfTest.errorOutput) == (0, ""))
        let lines = selfTest.output.split(separator: "\n")
        #expect(lines.count == 10)
        #expect(lines.last == "404 passed, 0 failed")
    }

    @Test func `notices a wrong row, and a file of another program`() throws {
        let wrong = #"""
            {"type": "ecdh-es", "source": "", "cases": [{"private_key": "{}", "public_key": "{}",
            "algorithm_id_hex": "", "party_u_hex": "", "party_v_hex": "", "length": 16,
            "key_hex": ""}]}
            """#
        let selfTest = try CardProgram.run(["selftest", "-"], input: wrong)
        #expect(selfTest.output.hasPrefix("standard input: 0 passed, 1 failed: row 1\n"))
        #expect(selfTest.exitCode == 1)
        let other = wrong.replacing("ecdh-es", with: "hotp")
        let unknown = try CardProgram.run(["selftest", "-"], input: other)
        #expect(unknown.errorOutput.contains(#"the type "hotp" is unknown"#))
        #expect(unknown.exitCode == 65)
    }
}
