import OneTimePassword
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

/// The value of a copied device without the PIN (SECURITY.md, 2.1).
///
/// Faulty builds show that the attacker works.
@Suite struct `A copied device` {
    private static let (old, new) = ("271905", "538091")
    private let attacker = Attacker(
        pins: ["640285", old, "398174", "905162", new, "716043", "284957", "830519"]
    )

    /// A device that has computed codes, copied before and after a PIN change.
    private func loot() async throws -> (before: Loot, after: Loot) {
        let home = try Home()
        let server = try ScriptedServer()
        let handler = try home.handler(server)
        _ = try await ScriptedActivation(at: server).activate(handler, Self.old)
        for _ in 0..<3 { _ = try await handler.oneTimeCode(pin: .typed(Self.old)) }
        let before = try Loot(of: home)
        try server.thenTellStatuses(in: home)
        server.then(RekeyExchange.self, .done(NoContent()))
        _ = try await handler.changePIN(from: .typed(Self.old), to: .typed(Self.new))
        for _ in 0..<3 { _ = try await handler.oneTimeCode(pin: .typed(Self.new)) }
        return (before, try Loot(of: home))
    }

    @Test func `contains nothing that tests a PIN, also after a PIN change (SEC-24, SEC-47)`()
        async throws
    {
        let (before, after) = try await loot()
        #expect(try await attacker.suspects(in: before) == [])
        #expect(try await attacker.suspects(in: after) == [])
        #expect(try await attacker.suspects(in: before, then: after) == [])
    }

    /// Each faulty build stores something that depends on the PIN.
    enum BadBuild: CaseIterable {
        case sealsTheSeed, keepsACheckValue, keepsATypedCode, keepsACodeOfARequest

        func kept(by pin: String, in loot: Loot) async throws -> [UInt8] {
            switch self {
            case .sealsTheSeed:
                let key = try await loot.stretched(pin)
                let (seed, nonce) = (try await loot.seed(pin), [UInt8](repeating: 7, count: 12))
                let sealed = try AESGCM.seal(
                    seed.span,
                    key: SecureBytes(copying: key.span),
                    nonce: nonce.span
                )
                return nonce + sealed
            case .keepsACheckValue:
                let seed = try await loot.seed(pin)
                return Array(try HashAlgorithm.sha256.digest(of: seed.span).array.prefix(4))
            case .keepsATypedCode: return Array(try await loot.usedCodes(pin)[2].utf8)
            case .keepsACodeOfARequest: return Array(try await loot.usedCodes(pin)[1].utf8)
            }
        }
    }

    @Test(arguments: BadBuild.allCases)
    func `reveals the PIN of a faulty build that stores a check value`(_ build: BadBuild)
        async throws
    {
        var (loot, _) = try await loot()
        loot.bytes += try await build.kept(by: Self.old, in: loot)
        #expect(try await attacker.suspects(in: loot) == [Self.old])
    }

    @Test func `reveals both PINs of a faulty build that reuses a secret`()
        async throws
    {
        var (before, after) = try await loot()
        let secret = try await before.seed(Self.old)
        before.bytes += secret.masked(by: try await before.stretched(Self.old))
        after.bytes += secret.masked(by: try await after.stretched(Self.new))
        #expect(try await attacker.suspects(in: before, then: after) == [Self.old, Self.new])
    }
}
