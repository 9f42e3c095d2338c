import Cryptography
import OneTimePassword
import Testing
import TransactionApproval

/// All questions of one seed; each pair differs in at least one value.
@Suite struct `SEC-41, SEC-34: a code is valid for one purpose only` {
    private let seed = [UInt8](0..<32)

    @Test func `any changed value gives another in-band code`() throws {
        let questions = try everyQuestion()
        var codes: Set<String> = []
        var count = 0
        for credential in everyCredential {
            let inBand = try InBandCodes(of: credential, seed: try CredentialSeed(seed))
            for question in questions {
                for epoch in [Epoch(0), Epoch(1)] {
                    codes.insert(try inBand.code(for: question, in: epoch, at: Counter(5)).text)
                    count += 1
                }
            }
        }
        #expect(codes.count == count)
        #expect(count == 24 * (256 + 25) * 2)
    }

    @Test func `any changed value gives another typed code`() throws {
        var codes: [String] = []
        for credential in everyCredential {
            let typed = try TypedCodes(of: credential, seed: try CredentialSeed(seed))
            codes.append(typed.hotp.code(at: Counter(5)).text)
            for epoch in [Epoch(0), Epoch(1)] {
                for data in [[], [0], [0, 0]] as [[UInt8]] {
                    codes.append(try typed.code(over: data, in: epoch, at: Counter(5)).text)
                }
            }
        }
        #expect(codes.count == 24 * 7)
        #expect(Set(codes).count == codes.count)
    }

    private var everyCredential: [CredentialContext] {
        [EnterpriseID.bank, .shop].flatMap { enterprise in
            [CredentialID.one, .other].flatMap { id in
                CredentialKind.allCases.flatMap { kind in
                    [UInt64(0), 1].map { generation in
                        .sample(
                            enterprise: enterprise,
                            id: id,
                            kind: kind,
                            generation: generation
                        )
                    }
                }
            }
        }
    }

    private func everyQuestion() throws -> [InBandQuestion] {
        let bytes = [UInt8](repeating: 7, count: 32)
        let hash = try #require(TransactionHash(bytes))
        let otherHashes = try bytes.eachWithOneBitFlipped.map {
            InBandQuestion.decision(try #require(TransactionHash($0)), .approve, nil)
        }
        let decisions = [.approve] + RejectionReason.allCases.map(Decision.reject)
        let numbers = [nil, TypedNumber("07"), TypedNumber("70"), TypedNumber("000007")]
        let digest = Digest(copying: bytes.span)
        return otherHashes
            + decisions.flatMap { decision in
                numbers.map { .decision(hash, decision, $0) }
            } + [.login(digest), .rekey(digest), .pinCheck]
            + [try HashAlgorithm.sha256.digest(of: bytes.span)].flatMap {
                [.login($0), .rekey($0)]
            }
    }
}

@Suite struct `Decisions` {
    @Test func `SEC-34: five flipped bits never turn a rejection into an approval`() {
        for reason in RejectionReason.allCases {
            let difference = Decision.reject(reason).byte ^ Decision.approve.byte
            #expect(difference.nonzeroBitCount > 5)
        }
        let bytes = Set(RejectionReason.allCases.map { Decision.reject($0).byte })
        #expect(bytes.count == RejectionReason.allCases.count)
    }
}

@Suite struct `Typed numbers` {
    @Test(arguments: ["00", "42", "000000", "987654"])
    func `have two or six digits`(_ digits: String) throws {
        #expect(try #require(TypedNumber(digits)).digits == digits)
    }

    @Test(arguments: ["", "1", "123", "12345", "1234567", " 1", "+1", "१२", "1\n", "a1", "１２"])
    func `have no other form`(_ text: String) {
        #expect(TypedNumber(text) == nil)
    }

    @Test(arguments: TypedNumber.Length.allCases)
    func `are random, with leading zeros`(_ length: TypedNumber.Length) throws {
        let numbers = try (0..<2000).map { _ in try TypedNumber.random(length).digits }
        #expect(numbers.allSatisfy { TypedNumber($0)?.digits.utf8.count == length.rawValue })
        #expect(numbers.contains { $0.hasPrefix("0") })
        #expect(Set(numbers).count >= (length == .two ? 100 : 1900))
    }

    @Test func `do not print themselves`() throws {
        let number = try #require(TypedNumber("314159"))
        var dumped = ""
        dump(number, to: &dumped)
        #expect(!"\(number) \(String(reflecting: number)) \(dumped)".contains("314159"))
    }
}

@Suite struct `Labels` {
    @Test func `contain the name of this system and a version`() {
        for label in Label.allCases {
            #expect(label.rawValue.hasPrefix("countersign "))
            // The policy of a device had another form in version 1.
            #expect(label.rawValue.hasSuffix(label == .devicePolicy ? " 2" : " 1"))
            #expect(label.rawValue.utf8.allSatisfy { $0 < 0x80 })
        }
    }
}
