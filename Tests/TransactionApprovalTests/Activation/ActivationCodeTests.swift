import Cryptography
import Testing
import TransactionApproval

private let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

extension ActivationCode {
    init(_ text: [UInt8]) throws(Failure) { try self.init(typed: text.span) }

    init(_ text: String) throws(Failure) { try self.init(Array(text.utf8)) }

    /// The 20 characters without dashes.
    func characters() throws -> [UInt8] {
        try text().withBytes { $0.array }.filter { $0 != UInt8(ascii: "-") }
    }
}

@Suite struct `Activation codes` {
    // Computed by another program.
    private let canonical = "01234-56789-ABCDE-FGHXG"

    @Test func `are read back`() throws {
        let shown = try ActivationCode(canonical).text()
        #expect(shown.withBytes { $0.array } == Array(canonical.utf8))
    }

    @Test(arguments: [
        "0123456789ABCDEFGHXG", "01234 56789 abcde fghxg", "oi234-56789-ABCDE-FGHXG",
        "OL234-56789-ABCDE-FGHXG", "Ol234--56789 - abcdefghxg ",
    ])
    func `are read in other spellings`(_ typed: String) throws {
        let shown = try ActivationCode(typed).text()
        #expect(shown.withBytes { $0.array } == Array(canonical.utf8))
    }

    @Test(arguments: [
        "", "-", "01234-56789-ABCDE-FGHX", "01234-56789-ABCDE-FGHXG0",
        "01234567890123456789012345678901234567890123456789012345678901234",
        "01234-56789-ABCDE-FGHXG\n",
    ])
    func `of another length have the reason wrong length`(_ typed: String) {
        #expect(throws: ActivationCode.Failure.wrongLength) { _ = try ActivationCode(typed) }
    }

    @Test(arguments: [
        "01234-56789-ABCDE-FGHXH", "11234-56789-ABCDE-FGHXG", "01234-56789-ABCDE-FGUXG",
        "01234-56789-ABCDE-FGH!G", "0123456789ABCDEFGHÄ", "01234567.9ABCDEFGHXG",
    ])
    func `with a typing error have the reason mistyped`(_ typed: String) {
        #expect(throws: ActivationCode.Failure.mistyped) { _ = try ActivationCode(typed) }
    }

    @Test func `are random and have a valid check`() throws {
        let codes = try (0..<500).map { _ in try ActivationCode.random().characters() }
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(code.count == 20)
            #expect(try ActivationCode(code).characters() == code)
        }
        // A missing character would pass with a chance below 10^-6.
        for place in 0..<18 { #expect(Set(codes.map { $0[place] }).count == 32) }
        // No place repeats another, so each one adds five bits.
        let repeated = (1..<18).filter { place in
            (0..<place).contains { other in codes.allSatisfy { $0[place] == $0[other] } }
        }
        #expect(repeated == [])
    }

    // Ten bits let one error in 1024 pass; one in the check characters themselves never does.
    // Counted once over 100 codes: 55 of 62,000 substitutions and 3 of 1,847 transpositions passed.
    @Test func `catch 99.9 percent of single typing errors`() throws {
        var (substitutions, transpositions) = (Tally(), Tally())
        for _ in 0..<20 {
            let code = try ActivationCode.random().characters()
            for place in code.indices {
                for character in alphabet where character != code[place] {
                    var typed = code
                    typed[place] = character
                    try substitutions.count(typed)
                }
                if place > 0, code[place] != code[place - 1] {
                    var typed = code
                    typed.swapAt(place, place - 1)
                    try transpositions.count(typed)
                }
            }
        }
        #expect(substitutions.all == 12_400)
        #expect(substitutions.caughtShare > 0.997)
        #expect(transpositions.caughtShare > 0.98)
    }

    private struct Tally {
        var all = 0
        var passed = 0
        var caughtShare: Double { 1 - Double(passed) / Double(all) }

        mutating func count(_ typed: [UInt8]) throws {
            all += 1
            do throws(ActivationCode.Failure) {
                _ = try ActivationCode(typed)
                passed += 1
            } catch {
                #expect(error == .mistyped)
            }
        }
    }
}

@Suite struct `Activation ids` {
    @Test func `are random and have one spelling`() throws {
        let ids = Set(try (0..<1000).map { _ in try ActivationID.random() })
        #expect(ids.count == 1000)
        for id in ids { #expect(ActivationID(id.text) == id) }
    }

    @Test(arguments: ["01ABC-DEFGH", "oiabc defgh", "OLABCDEFGH", " 01 ABCDEFGH-"])
    func `are read in other spellings if a person types`(_ typed: String) {
        #expect(ActivationID(typed: typed)?.text == "01ABCDEFGH")
        #expect(ActivationID(typed) == nil)
    }

    @Test(arguments: ["", "01ABCDEFG", "01ABCDEFGHJ", "01ABCDEFGU", "01ABCDEFG!", "01ABCDEFGé"])
    func `have no other form`(_ text: String) {
        #expect(ActivationID(typed: text) == nil)
        #expect(ActivationID(text) == nil)
    }

    @Test(arguments: ["0", "01abcdefgh", "01ABCDEFGU"])
    func `are read strictly in binary fields`(_ text: String) {
        var writer = FieldWriter()
        writer.append(text)
        var reader = FieldReader(writer.bytes)
        #expect(throws: FieldReader.Failure.malformed(offset: 0)) {
            try reader.identifier(ActivationID.self)
        }
    }
}

@Suite struct `Device names` {
    @Test(arguments: ["x", "Anna's phone", "Телефон", String(repeating: "é", count: 64)])
    func `are short and visible`(_ text: String) {
        #expect(DeviceName(text)?.text == text)
    }

    @Test(arguments: [
        "", String(repeating: "x", count: 65), "a\u{202E}b", "a\nb", "a\u{200B}b", "\0",
        "e" + String(repeating: "\u{301}", count: 200),
    ])
    func `are refused otherwise`(_ text: String) {
        #expect(DeviceName(text) == nil)
    }
}
