import OneTimePassword
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `Credential seeds` {
    private let secrets: DeviceSecrets
    private let record: AccountRecord

    init() throws {
        secrets = try .random(P256.PrivateKey(), by: .system)
        record = try .sample()
    }

    private func user(
        _ pin: String = "271905",
        _ ingredients: SeedIngredients? = nil,
        _ secrets: DeviceSecrets? = nil,
        kind: CredentialKind = .user
    ) async throws -> [UInt8] {
        let ingredients = ingredients ?? record.user.ingredients
        var credential = try record.credential(kind).unwrapped()
        credential.ingredients = ingredients
        let seed = try await ingredients.userSeed(
            of: record.context(kind, of: credential),
            pin: secretBytes(pin),
            secrets ?? self.secrets
        )
        return seed.withBytes { $0.array }
    }

    @Test func `are equal for equal inputs`() async throws {
        let (first, second) = (try await user(), try await user())
        #expect(first == second)
        #expect(first.count == 32)
    }

    @Test func `depend on the PIN and on every stored input`() async throws {
        let own = record.user.ingredients
        let otherShare = SeedIngredients(
            generation: own.generation,
            share: own.share.map { ~$0 },
            salt: own.salt,
            cost: own.cost
        )
        let otherSalt = SeedIngredients(
            generation: own.generation,
            share: own.share,
            salt: own.salt.map { ~$0 },
            cost: own.cost
        )
        let later = SeedIngredients(
            generation: Generation(1),
            share: own.share,
            salt: own.salt,
            cost: own.cost
        )
        let dearer = SeedIngredients(
            generation: own.generation,
            share: own.share,
            salt: own.salt,
            cost: try Argon2id.Cost(passes: 3, memoryKiB: 19 << 10, lanes: 1)
        )
        var seeds = [try await user(), try await user("271906"), try await user(kind: .device)]
        for ingredients in [otherShare, otherSalt, later, dearer] {
            seeds.append(try await user("271905", ingredients))
        }
        seeds.append(try await user("271905", nil, try .random(P256.PrivateKey(), by: .system)))
        let context = record.context(.device, of: record.deviceCredential)
        let device = try own.deviceSeed(of: context, secrets)
        seeds.append(device.withBytes { $0.array })
        #expect(Set(seeds).count == 9)
    }
}
