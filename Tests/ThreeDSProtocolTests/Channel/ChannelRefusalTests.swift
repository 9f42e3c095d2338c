import Cryptography
import JOSE
import Testing

@testable import ThreeDSProtocol

/// Each case is refused by the same error, and ends the channel.
@Suite struct `SEC-82: a message that is not correct` {
    private let keys: ChallengeKeys

    init() throws {
        keys = try ChallengeKeys()
    }

    private func text(_ counter: String, _ side: SecureChannel.Side = .sdk) -> String {
        #"{"\#(side.counterName)":\#(counter)}"#
    }

    private func nonce(_ counter: UInt8, _ side: SecureChannel.Side = .sdk) -> [UInt8] {
        [UInt8](repeating: side == .sdk ? 0 : 0xff, count: 11) + [counter]
    }

    /// The ACS after one correct message with the counter 000.
    private func acs(_ encryption: JWE.Encryption) throws -> Party {
        let (sdk, acs) = try keys.parties(encryption)
        _ = try acs.open(sdk.seal())
        return acs
    }

    private func checkRefused(_ token: [UInt8], by party: Party) throws {
        #expect(!party.state.isEnded)
        let before = party.state
        #expect(try party.refuses(token))
        #expect(party.state.isEnded)
        #expect(party.state.opened == before.opened)
        // No later message is opened, and none is sent.
        #expect(try party.refuses(token))
        #expect(throws: ChannelFailure.refused) { try party.seal() }
        #expect(try party.restored(party.state.encoded).refuses(token))
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `by its counter is refused`(_ encryption: JWE.Encryption) throws {
        let counters = [
            #""000""#, #""002""#, #""255""#, #""256""#, #""1""#, #""01""#, #""0001""#, #""00１""#,
            #""-01""#, #"" 01""#, #""001 ""#, "1", "null", #"["001"]"#,
            #""001","sdkCounterStoA":"001""#,
        ]
        for counter in counters {
            let token = try keys.sealed(
                text(counter),
                from: .sdk,
                encryption,
                nonce: encryption == .a128GCM ? nonce(1) : nil
            )
            try checkRefused(token, by: acs(encryption))
        }
        let token = try keys.sealed(
            text(#""001""#),
            from: .sdk,
            encryption,
            nonce: encryption == .a128GCM ? nonce(1) : nil
        )
        #expect(try !acs(encryption).refuses(token))
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `by its text is refused`(_ encryption: JWE.Encryption) throws {
        for text in ["", "{}", "[]", "001", #"{"sdkCounterStoA":"001""#, text(#""001""#, .acs)] {
            let token = try keys.sealed(
                text,
                from: .sdk,
                encryption,
                nonce: encryption == .a128GCM ? nonce(1) : nil
            )
            try checkRefused(token, by: acs(encryption))
        }
    }

    @Test func `by its nonce is refused, although its text has the counter`() throws {
        var nonces = [nonce(0), nonce(2), nonce(1, .acs), nonce(255)]
        for place in 0..<11 {
            var changed = nonce(1)
            changed[place] = 1
            nonces.append(changed)
        }
        for nonce in nonces {
            let token = try keys.sealed(text(#""001""#), from: .sdk, .a128GCM, nonce: nonce)
            try checkRefused(token, by: acs(.a128GCM))
        }
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `of another transaction is refused`(_ encryption: JWE.Encryption) throws {
        let other = "d7c1ee99-9478-44a6-b1f2-391e29c6b341"
        let identifiers: [String?] = [
            other, nil, "", ChallengeKeys.transactionID.uppercased(),
            ChallengeKeys.transactionID + " ",
        ]
        for identifier in identifiers {
            let token = try keys.sealed(
                text(#""001""#),
                from: .sdk,
                encryption,
                keyID: identifier,
                nonce: encryption == .a128GCM ? nonce(1) : nil
            )
            try checkRefused(token, by: acs(encryption))
        }
    }

    @Test func `with another encryption than the first one is refused`() throws {
        let cbc = try keys.sealed(text(#""001""#), from: .sdk, .a128CBCHS256)
        try checkRefused(cbc, by: acs(.a128GCM))
        let gcm = try keys.sealed(text(#""001""#), from: .sdk, .a128GCM, nonce: nonce(1))
        try checkRefused(gcm, by: acs(.a128CBCHS256))
        // The ACS may not choose another one in its first response.
        let (sdk, _) = try keys.parties(.a128GCM)
        try checkRefused(keys.sealed(text(#""000""#, .acs), from: .acs, .a128CBCHS256), by: sdk)
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `from the own side is refused`(_ encryption: JWE.Encryption) throws {
        let (sdk, acs) = try keys.parties(encryption)
        let request = try sdk.seal()
        try checkRefused(request, by: sdk)
        _ = try acs.open(request)
        let response = try acs.seal()
        try checkRefused(response, by: acs)
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `under another key is refused`(_ encryption: JWE.Encryption) throws {
        let (_, acs) = try keys.parties(encryption)
        let (stranger, _) = try ChallengeKeys().parties(encryption)
        try checkRefused(stranger.seal(), by: acs)
        let other = try Party(
            .sdk,
            keys,
            SecureChannel.State(choosing: encryption),
            referenceNumber: "another SDK"
        )
        try checkRefused(other.seal(), by: try keys.parties(encryption).acs)
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `that repeats a counter with other bytes is refused`(
        _ encryption: JWE.Encryption
    ) throws {
        let (sdk, acs) = try keys.parties(encryption)
        let crashed = try sdk.restored(sdk.state.encoded)
        #expect(try acs.text(in: sdk.seal("one")) == "one")
        try checkRefused(crashed.seal("two"), by: acs)
    }

    @Test func `for its length or its algorithm is refused`() throws {
        let long = String(repeating: " ", count: 1 << 16)
        let token = try keys.sealed(
            text(#""001""#) + long,
            from: .sdk,
            .a128GCM,
            nonce: nonce(1)
        )
        try checkRefused(token, by: acs(.a128GCM))
        let padded = [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)
        try checkRefused(padded, by: acs(.a128GCM))
        let content = Array(text(#""001""#).utf8)
        let agreed = try JWE.sealed(
            content.span,
            to: P256.PrivateKey().publicKey,
            deriving: .withoutParties(except: ""),
            encryption: .a128GCM
        )
        try checkRefused(Array(agreed.utf8), by: acs(.a128GCM))
    }

    @Test func `before the SDK chose an encryption is not sent`() throws {
        let (_, acs) = try keys.parties(.a128GCM)
        #expect(throws: ChannelFailure.refused) { try acs.seal() }
        #expect(!acs.state.isEnded)
    }
}
