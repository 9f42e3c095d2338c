import Cryptography
import Foundation
import PrivateFiles
import Sealing
import StoreTesting
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import AuthenticationHandler

@Suite(.onAnyStore) struct `Secrets in files and messages` {
    /// A PIN of the maximum length, so that it does not occur by chance.
    private static let (pin, newPIN) = ("271905384617", "538091462738")
    private let world: World

    init() async throws {
        world = try await World(policy: World.allowingConsent)
        try await world.activate(pin: Self.pin)
    }

    private func use() async throws {
        let app = try world.app()
        _ = try await app.logIn(with: .pin(.typed(Self.pin)))
        try await app.authenticateUsingUserPIN(
            try await world.shown(for: 10_00),
            pin: .typed(Self.pin)
        )
        try await app.authenticateUsingConsent(try await world.shown(for: 10_00))
        _ = try await app.changePIN(from: .typed(Self.pin), to: .typed(Self.newPIN))
    }

    /// The stretched key of the PIN on this device.
    private func stretched(_ pin: String) async throws -> [UInt8] {
        let vault = PrivateFolder(world.path + "/vault")
        let name = try vault.names().first { $0.hasPrefix("account-") }.unwrapped()
        let file = try vault.contents(of: name, atMost: SealedRecord.maximumByteCount)
        let ingredients = try SealedRecord(file.unwrapped()).record.user.ingredients
        let digits = Array(pin.utf8)
        let key = try await Argon2id.deriveKey(
            from: SecureBytes(copying: digits.span),
            salt: ingredients.salt,
            cost: ingredients.cost,
            byteCount: 32
        )
        return key.withBytes { $0.array }
    }

    /// The places that contain the bytes, in every form in which a program may write them.
    private func places(of secret: [UInt8]) throws -> Set<String> {
        let bytes = Data(secret)
        let forms = [
            bytes, Data(TextEncoding.hexadecimal.encode(secret.span).utf8),
            Data(TextEncoding.base64URL.encode(secret.span).utf8),
            bytes.base64EncodedData(), Data(secret.reversed()),
        ]
        let has = { (data: Data) in forms.contains { data.range(of: $0) != nil } }
        var places: Set<String> = []
        let exchanges = world.line.exchanges
        if exchanges.contains(where: { has(Data($0.request + $0.response)) }) {
            places.insert("way")
        }
        if try forms.contains(where: { try world.bank.isOnDisk($0) }) { places.insert("verifier") }
        let files = try FileManager.default.subpathsOfDirectory(atPath: world.path).compactMap {
            FileManager.default.contents(atPath: world.path + "/" + $0)
        }
        if files.contains(where: has) { places.insert("device") }
        return places
    }

    @Test func `SEC-23: no place contains the PIN or its stretched key`() async throws {
        let old = try await stretched(Self.pin)
        try await use()
        let new = try await stretched(Self.newPIN)
        for secret in [Array(Self.pin.utf8), Array(Self.newPIN.utf8), old, new] {
            #expect(try places(of: secret) == [])
        }
        // The search works: it finds a public value in all places.
        #expect(try places(of: Array("4711".utf8)).isSuperset(of: ["verifier", "device"]))
        let device = try await world.bank.devices()[0]
        #expect(try places(of: device.bytes).contains("verifier"))
        let code = world.line.codes[0].code.code.text
        #expect(try places(of: Array(code.utf8)) == ["way"])
    }

    /// A response that depends on a seed would test PINs.
    @Test func `SEC-62: no response contains a value derived from a seed`() async throws {
        try await use()
        let routes: Set<DeviceRoute> = [.decision, .pinCheck, .rekey, .push]
        let exchanges = world.line.exchanges.filter { $0.route.map(routes.contains) == true }
        #expect(exchanges.count > 2)
        #expect(exchanges.allSatisfy { $0.response == Array("{}".utf8) })
        // The status before and after a new seed differs only in its numbers.
        let before = try await status()
        let back = try await world.app()
            .changePIN(from: .typed(Self.newPIN), to: .typed(Self.pin))
        #expect(back.map(\.outcome) == [.changed])
        let after = try await status()
        #expect(before.generation + 1 == after.generation)
        #expect(before.remaining == after.remaining)
    }

    /// Each refusal states only how many attempts are left.
    @Test func `SEC-62: each wrong PIN gets the same refusal`() async throws {
        var refusals: Set<String> = []
        for (pin, left) in [("271905384618", 4), ("840916275303", 3)] {
            _ = await error { try await world.app().logIn(with: .pin(.typed(pin))) }
            let refused = try world.line.exchanges.last { $0.route == .login }.unwrapped()
            let text = String(decoding: refused.response, as: UTF8.self)
            #expect(text.contains(#""attemptsLeft":\#(left)"#))
            refusals.insert(text.replacing(#""attemptsLeft":\#(left)"#, with: ""))
        }
        #expect(refusals.count == 1, "\(refusals)")
    }

    /// The verifier's status of the account, without generation and counter of its PIN.
    private func status() async throws -> (generation: UInt64, remaining: String) {
        _ = try await world.app().profile()
        let last = try world.line.exchanges.last { $0.route == .status }.unwrapped()
        let status = try StatusExchange.Response(reading: last.response)
        let user = try status.credentials.first { $0.kind == .user }.unwrapped()
        let others = status.credentials.filter { $0.kind != .user }
        return (
            user.position.generation.value,
            "\(status.account) \(status.policy) \(user.id) \(user.isEnabled) \(others)"
        )
    }
}
