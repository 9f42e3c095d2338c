import Cryptography
import Foundation
import JOSE
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

/// Many challenges whose requests repeat and whose responses are lost, while the ACS restarts.
@Suite(.timeLimit(.minutes(60))) struct `SEC-80: The responses of an ACS` {
    private static let challenges = Proof.isComplete ? 10_000 : 100
    /// All of one card.
    private static let challengesBeforeRestart = LiveChallenges.maximumOfCard

    @Test func `use no nonce for two texts under one key`() async throws {
        var random = SeededGenerator(seed: 80)
        var world = try await IssuerWorld()
        try await world.addCard()
        for _ in 0..<Self.challenges / Self.challengesBeforeRestart {
            var challenges: [WatchedChallenge] = []
            for _ in 0..<Self.challengesBeforeRestart {
                challenges.append(try await WatchedChallenge(in: world))
            }
            for _ in 0...Int.random(in: 0...3, using: &random) {
                for index in challenges.indices where Bool.random(using: &random) {
                    try await challenges[index].send(&random)
                }
                world = try await IssuerWorld(restarting: world)
                for challenge in challenges { try await challenge.expectSame(in: world) }
            }
            for index in challenges.indices {
                try await challenges[index].send(&random)
                world.verifier.approve(challenges[index].sdk.acsTransID)
            }
            try await world.work()
            for index in challenges.indices {
                let end = try await challenges[index].send(&random)
                #expect(end == "Y")
            }
            world = try await IssuerWorld(restarting: world)
            for challenge in challenges {
                try await challenge.expectSame(in: world)
                challenge.expectCountedNonces()
            }
        }
    }
}

/// A challenge in an app, with all of its responses.
private struct WatchedChallenge {
    let sdk: ModelSDK
    /// By nonce; each challenge has its own key.
    private var texts: [String: String] = [:]
    private var last: (request: [UInt8], text: String)?

    init(in world: IssuerWorld) async throws {
        let id = UUID().uuidString.lowercased()
        sdk = try await ModelSDK(in: world, .twoTwo, .a128GCM, ["dsTransID": "\"\(id)\""])
    }

    /// Sends a CReq once or more often, also at the same time; returns `transStatus`.
    @discardableResult
    mutating func send(_ random: inout SeededGenerator) async throws -> String? {
        let request = try sdk.sealed()
        let service = sdk.world.service
        let count = Int.random(in: 1...3, using: &random)
        let all = try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask { try await service.response(toApp: request) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for response in all {
            guard case .sealed(let text) = response else {
                Issue.record("\(response)")
                continue
            }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let known = texts.updateValue(text, forKey: String(parts[2]))
            #expect(known == nil || known == text)
            last = (request, text)
        }
        return try await sdk.response(to: request)["transStatus"]?.text
    }

    /// The ACS, which started again, has the last response.
    func expectSame(in world: IssuerWorld) async throws {
        sdk.world = world
        guard let last else { return }
        #expect(try await world.service.response(toApp: last.request) == .sealed(last.text))
    }

    /// The nonces are eleven bytes of ones, and the counter from 0.
    func expectCountedNonces() {
        let expected = (0..<texts.count).map { counter in
            TextEncoding.base64URL.encode(
                (Array(repeating: UInt8(0xff), count: 11) + [UInt8(counter)]).span
            )
        }
        #expect(Set(texts.keys) == Set(expected))
    }
}
