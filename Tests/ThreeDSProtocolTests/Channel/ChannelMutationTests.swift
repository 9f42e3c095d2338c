import Cryptography
import JOSE
import TestSupport
import Testing

@testable import ThreeDSProtocol

@Suite struct `A changed message of a challenge` {
    private struct Target {
        let name: String
        let token: [UInt8]
        let isRefused: ([UInt8]) throws -> Bool
    }

    /// For each side and encryption, a correct message, and a fresh receiver for each change.
    private func targets() throws -> [Target] {
        let keys = try ChallengeKeys()
        return try JWE.Encryption.allCases.flatMap { encryption in
            let (sdk, acs) = try keys.parties(encryption)
            let request = try sdk.seal("request")
            let before = (sdk.state.encoded, acs.state.encoded)
            _ = try acs.open(request)
            let response = try acs.seal("response")
            return [
                Target(name: "CReq \(encryption)", token: request) { changed in
                    try acs.restored(before.1).refuses(changed)
                },
                Target(name: "CRes \(encryption)", token: response) { changed in
                    try sdk.restored(before.0).refuses(changed)
                },
            ]
        }
    }

    @Test func `SEC-82: has always the same error`() throws {
        let targets = try targets()
        var random = SeededGenerator(seed: 302)
        var changes = 0
        for target in targets { #expect(try !target.isRefused(target.token)) }
        while changes < 4000 {
            let target = targets[Int.random(in: 0..<targets.count, using: &random)]
            let other = targets[Int.random(in: 0..<targets.count, using: &random)]
            let changed = change(target.token, other.token, using: &random)
            guard changed != target.token else { continue }
            changes += 1
            #expect(
                try target.isRefused(changed),
                "\(target.name): \(String(decoding: changed, as: UTF8.self))"
            )
        }
    }

    private func change(
        _ token: [UInt8],
        _ other: [UInt8],
        using random: inout SeededGenerator
    ) -> [UInt8] {
        var token = token
        let place = Int.random(in: 0..<token.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2: token[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3: token.remove(at: place)
        case 4: token.insert(UInt8.random(in: 33...126, using: &random), at: place)
        case 5: token.removeSubrange(place...)
        case 6: token.swapAt(place, Int.random(in: 0..<token.count, using: &random))
        default:
            let point = UInt8(ascii: ".")
            var parts = token.split(separator: point, omittingEmptySubsequences: false)
            let others = other.split(separator: point, omittingEmptySubsequences: false)
            let part = Int.random(in: 0..<5, using: &random)
            // Equal parts change nothing; the caller then tries again.
            if parts.count == 5, others.count == 5 { parts[part] = others[part] }
            token = Array(parts.joined(separator: [point]))
        }
        return token
    }
}
