import Cryptography
import JOSE
import StrictJSON
import Testing

@testable import ThreeDSProtocol

@Suite struct `A secure channel` {
    private let keys: ChallengeKeys

    init() throws {
        keys = try ChallengeKeys()
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `carries messages in both directions`(_ encryption: JWE.Encryption) throws {
        let (sdk, acs) = try keys.parties(encryption)
        for number in 0..<5 {
            let request = try sdk.seal("request \(number)")
            #expect(try acs.text(in: request) == "request \(number)")
            let response = try acs.seal("response \(number)")
            #expect(try sdk.text(in: response) == "response \(number)")
            let token = try JWE(reading: request, maximumByteCount: request.count)
            #expect(token.algorithm == .direct && token.encryption == encryption)
            #expect(token.keyID == ChallengeKeys.transactionID)
        }
        #expect(acs.state.encryption == encryption)
        #expect(acs.state.sealed == 5 && acs.state.opened == 5 && !acs.state.isEnded)
    }

    @Test func `has one key on both sides, which depends on all inputs`() throws {
        let expected = try keys.bytes()
        #expect(expected.count == ChannelKey.byteCount)
        #expect(try keys.agreed(by: .acs).withBytes { $0.array } == expected)
        #expect(try keys.agreed(by: .acs, for: "other").withBytes { $0.array } != expected)
        #expect(try ChallengeKeys().bytes() != expected)
    }

    @Test func `restores a stored key of 32 bytes only`() throws {
        for count in [0, 16, 31, 33, 64] {
            let bytes = [UInt8](repeating: 7, count: count)
            #expect(throws: ChannelFailure.refused) {
                _ = try ChannelKey(restoring: SecureBytes(copying: bytes.span))
            }
        }
        let bytes = try keys.bytes()
        let key = try ChannelKey(restoring: SecureBytes(copying: bytes.span))
        #expect(key.withBytes { $0.array } == bytes)
    }

    @Test func `in GCM mode has a key and nonces for each direction`() throws {
        let (sdk, acs) = try keys.parties(.a128GCM)
        let request = try sdk.seal()
        _ = try acs.open(request)
        let response = try acs.seal()
        #expect(try nonce(of: request) == [UInt8](repeating: 0, count: 12))
        #expect(try nonce(of: response) == [UInt8](repeating: 0xff, count: 11) + [0])
        let bytes = try keys.bytes()
        for (token, half) in [(request, bytes[..<16]), (response, bytes[16...])] {
            let key = Array(half)
            let opened = try JWE(reading: token, maximumByteCount: token.count).opened(
                with: SecureBytes(copying: key.span),
                permitting: [.a128GCM]
            )
            #expect(opened.count > 0)
        }
    }

    @Test func `in CBC mode has the whole key and a fresh vector`() throws {
        let (sdk, _) = try keys.parties(.a128CBCHS256)
        let bytes = try keys.bytes()
        var vectors: Set<[UInt8]> = []
        for _ in 0..<100 {
            let token = try sdk.seal()
            vectors.insert(try nonce(of: token))
            let opened = try JWE(reading: token, maximumByteCount: token.count).opened(
                with: SecureBytes(copying: bytes.span),
                permitting: [.a128CBCHS256]
            )
            #expect(opened.count > 0)
        }
        #expect(vectors.count == 100)
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `ends after 256 messages of a side`(_ encryption: JWE.Encryption) throws {
        let (sdk, acs) = try keys.parties(encryption)
        for number in 0..<256 {
            let request = try sdk.seal()
            guard case .message(let document) = try acs.open(request) else {
                Issue.record("message \(number) is a repetition")
                return
            }
            let digits = String(repeating: "0", count: 3 - String(number).count) + String(number)
            let value = try JSONValue(reading: document.text, limits: .message)
            #expect(value["sdkCounterStoA"]?.text == digits)
            _ = try sdk.open(acs.seal())
        }
        let last = try keys.sealed(
            #"{"sdkCounterStoA":"000"}"#,
            from: .sdk,
            encryption,
            nonce: encryption == .a128GCM ? [UInt8](repeating: 0, count: 12) : nil
        )
        for party in [sdk, acs] {
            #expect(throws: ChannelFailure.refused) { try party.seal() }
            #expect(party.state.isEnded)
        }
        let later = try acs.restored(ended(acs.state, isEnded: false))
        #expect(try later.refuses(last))
        #expect(later.state.isEnded)
    }

    private func ended(_ state: SecureChannel.State, isEnded: Bool) -> [UInt8] {
        var encoded = state.encoded
        encoded[2] = isEnded ? 1 : 0
        return encoded
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `SEC-79: recognises the identical message after a restart`(
        _ encryption: JWE.Encryption
    ) throws {
        let (sdk, acs) = try keys.parties(encryption)
        let request = try sdk.seal("first")
        #expect(try acs.text(in: request) == "first")
        let response = try acs.seal("response")
        // The state was committed with the response, before it was sent.
        let restarted = try acs.restored(acs.state.encoded)
        #expect(restarted.state == acs.state)
        #expect(try restarted.open(request) == .repeated(.withResponse))
        #expect(try restarted.state.repeats(ReceivedToken(request, from: .sdk)))
        #expect(restarted.state == acs.state)
        #expect(try sdk.text(in: response) == "response")
        #expect(try restarted.text(in: sdk.seal("second")) == "second")
        // Only the last message may come again.
        #expect(try restarted.refuses(request))
        #expect(restarted.state.isEnded)
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `ends at an SDK if a response comes again`(_ encryption: JWE.Encryption) throws {
        let (sdk, acs) = try keys.parties(encryption)
        _ = try acs.open(sdk.seal())
        let response = try acs.seal("response")
        #expect(try sdk.text(in: response) == "response")
        #expect(try sdk.refuses(response))
        #expect(sdk.state.isEnded)
        #expect(throws: ChannelFailure.refused) { try sdk.seal() }
    }

    @Test func `does not restore an impossible state`() throws {
        let (sdk, acs) = try keys.parties(.a128GCM)
        for state in [sdk.state, acs.state] {
            #expect(SecureChannel.State(encoded: state.encoded) == state)
        }
        _ = try acs.open(sdk.seal())
        let encoded = acs.state.encoded
        #expect(SecureChannel.State(encoded: encoded) == acs.state)
        for (place, value) in [
            (0, 2), (1, 0), (1, 3), (2, 2), (3, 1), (3, 2), (4, 2), (6, 9), (7, 0),
        ] {
            var changed = encoded
            changed[place] = UInt8(value)
            #expect(SecureChannel.State(encoded: changed) == nil, "byte \(place)")
        }
        for count in 0..<encoded.count {
            #expect(SecureChannel.State(encoded: Array(encoded.prefix(count))) == nil)
        }
        #expect(SecureChannel.State(encoded: encoded + [0]) == nil)
    }

    @Test func `writes the counter itself, and only into messages of its side`() throws {
        let (sdk, acs) = try keys.parties(.a128CBCHS256)
        let members: [JSONValue.Member] = [
            .init(name: "sdkCounterStoA", value: .string("123"))
        ]
        guard
            case .message(let document) = try acs.open(
                sdk.seal(Message(.creq, .twoTwo, members))
            )
        else {
            Issue.record("a repetition")
            return
        }
        #expect(String(decoding: document.text, as: UTF8.self).contains(#""sdkCounterStoA":"000""#))
        #expect(throws: ChannelFailure.refused) { try sdk.seal(Message(.cres, .twoTwo, members)) }
        #expect(throws: ChannelFailure.refused) { try acs.seal(Message(.creq, .twoTwo, members)) }
        #expect(!sdk.state.isEnded && !acs.state.isEnded)
    }

    @Test func `is found by the identifier that a message claims`() throws {
        let (sdk, _) = try keys.parties(.a128GCM)
        let received = try ReceivedToken(sdk.seal(), from: .sdk)
        #expect(received.claimedTransactionID == ChallengeKeys.transactionID)
        let malformed = try ReceivedToken(Array("a.b".utf8), from: .sdk)
        #expect(malformed.claimedTransactionID == nil)
    }

    @Test func `carries messages that the reader accepts`() throws {
        let (sdk, acs) = try keys.parties(.a128GCM)
        let names = ["threeDSServerTransID", "acsTransID", "sdkTransID"]
        let members = names.map { name in
            JSONValue.Member(name: name, value: .string(SampleMessage.ids[name] ?? ""))
        }
        guard case .message(let document) = try acs.open(sdk.seal(Message(.creq, .twoTwo, members)))
        else {
            Issue.record("a repetition")
            return
        }
        var facts = TransactionFacts(version: .twoTwo)
        facts.add("deviceChannel", ["01"])
        let context = MessageContext.transaction(facts)
        let message = try MessageReader(for: .acs).read(document, as: [.creq], in: context)
        #expect(message["sdkCounterStoA"] == "000")
    }

    @Test func `reports its errors by their code`() {
        #expect(ChannelFailure.refused.errorCode == .decryptionFailed)
        #expect(ChannelFailure.system(.secureMemoryFull).errorCode == .transientFailure)
    }
}
