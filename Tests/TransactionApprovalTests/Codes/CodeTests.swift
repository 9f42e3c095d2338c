import Cryptography
import OneTimePassword
import Testing
import TransactionApproval

private let seedBytes = [UInt8](0..<32)

@Suite struct `Codes of a credential` {
    private let hash: TransactionHash
    private let epoch = Epoch(2)
    private let counter = Counter(9)

    init() throws {
        hash = try #require(TransactionHash([UInt8](repeating: 7, count: 32)))
    }

    // Computed by another program with HMAC-SHA-256 alone.
    @Test func `do not change between releases`() throws {
        let seed = try CredentialSeed(seedBytes)
        let inBand = try InBandCodes(of: .sample(), seed: seed)
        let question = InBandQuestion.decision(hash, .approve, TypedNumber("42"))
        #expect(
            try inBand.code(for: question, in: epoch, at: counter).text
                == "43de295cfe106f48b9f9a410723850709c9915bd75a1413d205f705a6bd4cc2c"
        )
        let typed = try TypedCodes(of: .sample(), seed: seed)
        let data = Array("pay 10".utf8)
        #expect(try typed.code(over: data, in: epoch, at: counter).text == "76134681")
        #expect(typed.hotp.code(at: counter).text == "84771684")
    }

    @Test func `in band match for exactly their question, epoch and counter`() throws {
        let codes = try InBandCodes(of: .sample(), seed: try CredentialSeed(seedBytes))
        let code = try codes.code(for: .pinCheck, in: epoch, at: counter)
        #expect(try codes.matches(code, .pinCheck, in: epoch, at: counter))
        #expect(try !codes.matches(code, .pinCheck, in: epoch, at: Counter(10)))
        #expect(try !codes.matches(code, .pinCheck, in: Epoch(3), at: counter))
        let decision = InBandQuestion.decision(hash, .approve, nil)
        #expect(try !codes.matches(code, decision, in: epoch, at: counter))
    }

    @Test func `do not depend on the expected question`() throws {
        let plain = try InBandCodes(of: .sample(), seed: try CredentialSeed(seedBytes))
        var codes = plain
        let decision = InBandQuestion.decision(hash, .approve, nil)
        for expected in [InBandQuestion.pinCheck, decision] {
            try codes.expect(expected, in: epoch)
            for (question, epoch) in [
                (.pinCheck, epoch), (decision, epoch), (.pinCheck, Epoch(3)),
                (.decision(hash, .approve, TypedNumber("42")), epoch),
            ] as [(InBandQuestion, Epoch)] {
                let code = try codes.code(for: question, in: epoch, at: counter)
                #expect(try plain.code(for: question, in: epoch, at: counter) == code)
            }
        }
    }

    @Test func `of another seed do not match`() throws {
        let codes = try InBandCodes(of: .sample(), seed: try CredentialSeed(seedBytes))
        let code = try codes.code(for: .pinCheck, in: epoch, at: counter)
        for flipped in seedBytes.eachWithOneBitFlipped {
            let other = try InBandCodes(of: .sample(), seed: try CredentialSeed(flipped))
            #expect(try !other.matches(code, .pinCheck, in: epoch, at: counter))
        }
    }

    @Test func `typed over data use up their counter and those before`() throws {
        let codes = try TypedCodes(of: .sample(), seed: try CredentialSeed(seedBytes))
        let code = try codes.code(over: [1], in: epoch, at: counter)
        func verdict(over data: [UInt8], from counter: Counter) throws -> CodeVerdict {
            try codes.verify(code, over: data, in: epoch, from: counter)
        }
        #expect(try verdict(over: [1], from: Counter(0)) == .accepted(next: Counter(10)))
        #expect(try verdict(over: [1], from: Counter(10)) == .rejected)
        #expect(try verdict(over: [2], from: Counter(0)) == .rejected)
    }

    @Test func `SEC-03: typed have eight digits, in band the whole MAC`() throws {
        let seed = try CredentialSeed(seedBytes)
        let typed = try TypedCodes(of: .sample(), seed: seed)
        #expect(typed.hotp.code(at: counter).text.utf8.count == 8)
        #expect(try typed.code(over: [], in: epoch, at: counter).text.utf8.count == 8)
        let inBand = try InBandCodes(of: .sample(), seed: seed)
        #expect(try inBand.code(for: .pinCheck, in: epoch, at: counter).text.utf8.count == 64)
    }
}

@Suite struct `SEC-60: suites that a credential may be bound to` {
    @Test func `are these two, signed with a counter`() {
        #expect(CodeSuite.allCases.map(\.ocraSuite.name) == CodeSuite.allCases.map(\.rawValue))
        #expect(CodeSuite.allCases.map(\.ocraSuite.takesCounter) == [true, true])
    }

    @Test(arguments: [
        "OCRA-1:HOTP-SHA1-6:QN08", "OCRA-1:HOTP-SHA256-8:QH64", "OCRA-1:HOTP-SHA256-6:C-QH64",
        "OCRA-1:HOTP-SHA1-8:C-QH64", "OCRA-1:HOTP-SHA256-8:C-QH40", "OCRA-1:HOTP-SHA256-8:C-QA64",
        "OCRA-1:HOTP-SHA256-8:C-QH64-T1M", "ocra-1:hotp-sha256-8:c-qh64", "",
        "OCRA-1:HOTP-SHA256-8:C-QH64 ",
    ])
    func `do not include other suites`(_ name: String) {
        #expect(CodeSuite(rawValue: name) == nil)
    }
}
