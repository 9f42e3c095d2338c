import Testing

@testable import OneTimePassword

@Suite struct `OCRA suites` {
    @Test func `return their parts`() throws {
        let suite = try OCRASuite("OCRA-1:HOTP-SHA512-8:C-QN08-PSHA1-S064-T2H")
        #expect(suite.algorithm == .sha512)
        #expect(suite.digitCount == 8)
        #expect(suite.takesCounter)
        #expect(suite.questionFormat == .numeric)
        #expect(suite.questionLength == 8)
        #expect(suite.pinAlgorithm == .sha1)
        #expect(suite.sessionByteCount == 64)
        #expect(suite.timeStepSeconds == 7200)
        #expect(suite.timeSteps(secondsSince1970: 14_399) == 1)
    }

    @Test(
        arguments: [
            ("OCRA-1:HOTP-SHA1-6", .notThreeParts),
            ("OCRA-2:HOTP-SHA1-6:QN08", .unknownVersion),
            ("OCRA-1:HOTP-SHA1-10:QN08", .malformedCryptoFunction),
            ("OCRA-1:HOTP-SHA1-6:QN03", .malformedQuestion),
            ("OCRA-1:HOTP-SHA1-6:C", .malformedQuestion),
            ("OCRA-1:HOTP-SHA1-6:QN08-PMD5", .malformedPIN),
            ("OCRA-1:HOTP-SHA1-6:QN08-S513", .malformedSession),
            ("OCRA-1:HOTP-SHA1-6:QN08-T0H", .malformedTimeStep),
            ("OCRA-1:HOTP-SHA1-6:QN08-T49H", .malformedTimeStep),
            ("OCRA-1:HOTP-SHA1-6:QN08-", .unexpectedField),
            ("OCRA-1:HOTP-SHA1-6:QN08-T1M-T1M", .unexpectedField),
            ("OCRA-1:HOTP-SHA1-6:QN08-T1M-PSHA1", .unexpectedField),
            (String(repeating: "OCRA-1:", count: 10_000), .tooLong),
        ] as [(String, OCRASuite.Failure)]
    )
    func `SEC-61 outside the grammar are rejected by the wrong part`(
        name: String,
        failure: OCRASuite.Failure
    ) {
        #expect(throws: failure) { try OCRASuite(name) }
    }
}

@Suite final class `OCRA codes` {
    let ocra: OCRA
    let question = OCRAQuestion(String(repeating: "0f", count: 32))

    init() throws {
        ocra = try OCRA(
            suite: try OCRASuite("OCRA-1:HOTP-SHA256-8:C-QH64"),
            secret: try Secret(copying: [UInt8](0..<32).span)
        )
    }

    @Test func `are accepted once, within the look-ahead`() throws {
        let code = try code(at: 7)
        #expect(try verify(code, from: 5, lookAhead: 2) == .accepted(next: Counter(8)))
        #expect(try verify(code, from: 5, lookAhead: 1) == .rejected)
        #expect(try verify(code, from: 8, lookAhead: 10) == .rejected)
    }

    @Test func `SEC-31 for one question are wrong for another`() throws {
        let code = try code(at: 7)
        var other = OCRA.Input(question: OCRAQuestion(String(repeating: "0e", count: 32)))
        other.counter = Counter(7)
        #expect(try ocra.verify(code, for: other, lookAhead: 0) == .rejected)
        #expect(try verify(code, from: 7, lookAhead: 0) == .accepted(next: Counter(8)))
    }

    @Test func `end at the last counter`() throws {
        #expect(try verify(try code(at: .max), from: .max, lookAhead: 0) == .counterExhausted)
    }

    @Test func `need exactly the inputs of the suite`() {
        let complete = OCRA.Input(question: question, counter: Counter(1))
        #expect(throws: Never.self) { try self.ocra.code(for: complete) }
        var input = complete
        input.counter = nil
        #expect(throws: OCRA.Failure.counter) { try self.ocra.code(for: input) }
        #expect(throws: OCRA.Failure.counter) {
            try self.ocra.verify(try self.code(at: 1), for: input, lookAhead: 0)
        }
        input = complete
        input.session = []
        #expect(throws: OCRA.Failure.session) { try self.ocra.code(for: input) }
        input = complete
        input.timeSteps = 1
        #expect(throws: OCRA.Failure.timeSteps) { try self.ocra.code(for: input) }
        input = complete
        input.question = OCRAQuestion("")
        #expect(throws: OCRA.Failure.question) { try self.ocra.code(for: input) }
    }

    @Test func `need a question of the suite's length, except in mutual mode`() {
        let long = String(repeating: "a", count: 65)
        #expect(throws: OCRA.Failure.question) {
            try self.ocra.code(for: .init(question: OCRAQuestion(long), counter: Counter(1)))
        }
        #expect(throws: OCRA.Failure.question) {
            try self.ocra.code(
                for: .init(question: OCRAQuestion(mutual: "a", long), counter: Counter(1))
            )
        }
        let both = OCRAQuestion(mutual: String(long.dropLast()), String(long.dropLast()))
        #expect(throws: Never.self) {
            try self.ocra.code(for: .init(question: both, counter: Counter(1)))
        }
    }

    @Test func `in mutual mode depend on the order of the challenges`() throws {
        let suite = try OCRASuite("OCRA-1:HOTP-SHA256-8:QA08")
        let key = Array("12345678901234567890123456789012".utf8)
        let ocra = try OCRA(suite: suite, secret: try Secret(copying: key.span))
        let server = try ocra.code(
            for: .init(question: OCRAQuestion(mutual: "CLI22220", "SRV11110"))
        )
        let client = try ocra.code(
            for: .init(question: OCRAQuestion(mutual: "SRV11110", "CLI22220"))
        )
        // RFC 6287, appendix C.2.1 and C.2.2: the first rows.
        #expect(server.text == "28247970")
        #expect(client.text == "15510767")
    }

    @Test func `use the new secret after a change`() throws {
        let suite = try OCRASuite("OCRA-1:HOTP-SHA256-8:QA08")
        let first = try Secret.random()
        let second = try Secret.random()
        var ocra = try OCRA(suite: suite, secret: first)
        let input = OCRA.Input(question: OCRAQuestion("abc"))
        let before = try ocra.code(for: input)
        try ocra.setSecret(second)
        let after = try ocra.code(for: input)
        let fresh = try OCRA(suite: suite, secret: second).code(for: input)
        #expect(before != after)
        #expect(after == fresh)
    }

    private func code(at counter: UInt64) throws -> OneTimeCode {
        try ocra.code(for: .init(question: question, counter: Counter(counter)))
    }

    private func verify(
        _ code: OneTimeCode,
        from counter: UInt64,
        lookAhead: LookAhead
    ) throws -> CodeVerdict {
        try ocra.verify(
            code,
            for: .init(question: question, counter: Counter(counter)),
            lookAhead: lookAhead
        )
    }
}
