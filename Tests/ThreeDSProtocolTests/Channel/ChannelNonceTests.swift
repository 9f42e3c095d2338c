import Cryptography
import JOSE
import StrictJSON
import TestSupport
import Testing

@testable import ThreeDSProtocol

/// More than 10,000 messages with GCM, between sides that crash and restart at any moment.
@Suite struct `A nonce in GCM mode` {
    private struct Use: Hashable {
        let key: [UInt8]
        let nonce: [UInt8]
    }

    /// Commits each state before it sends; a crash loses what was not committed.
    private final class Side {
        private var party: Party
        private var committed: [UInt8]
        private(set) var sent: [[UInt8]] = []

        init(_ party: Party) {
            self.party = party
            committed = party.state.encoded
        }

        func send(_ text: String, _ random: inout SeededGenerator) throws -> [UInt8] {
            // The message that was lost with its state had the same nonce, and was never sent.
            if Int.random(in: 0..<4, using: &random) == 0 {
                _ = try party.seal("lost")
                party = try party.restored(committed)
            }
            let token = try party.seal(text)
            committed = party.state.encoded
            sent.append(token)
            if Int.random(in: 0..<4, using: &random) == 0 {
                party = try party.restored(committed)
            }
            return token
        }

        func receive(_ token: [UInt8]) throws -> String? {
            let text = try party.text(in: token)
            committed = party.state.encoded
            return text
        }
    }

    @Test func `SEC-80: is used once by each key`() throws {
        var random = SeededGenerator(seed: 80)
        var uses: Set<Use> = []
        var messages = 0
        while messages < 10_000 {
            let keys = try ChallengeKeys()
            let (sdk, acs) = try keys.parties(.a128GCM)
            let (device, issuer) = (Side(sdk), Side(acs))
            for number in 0..<256 {
                let request = try device.send("\(number)", &random)
                #expect(try issuer.receive(request) == "\(number)")
                let response = try issuer.send("\(-number)", &random)
                #expect(try device.receive(response) == "\(-number)")
            }
            #expect(throws: ChannelFailure.refused) { try device.send("", &random) }
            #expect(throws: ChannelFailure.refused) { try issuer.send("", &random) }
            let bytes = try keys.bytes()
            for (side, key) in [(device, bytes[..<16]), (issuer, bytes[16...])] {
                messages += side.sent.count
                for token in side.sent {
                    let use = Use(key: Array(key), nonce: try nonce(of: token))
                    #expect(uses.insert(use).inserted)
                }
            }
        }
        #expect(uses.count == messages && messages >= 10_000)
    }
}
