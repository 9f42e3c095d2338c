import Foundation
import OneTimePassword
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

/// The seeds that another implementation must compute from the same stored parts.
@Suite struct `Seed vectors` {
    @Test(arguments: try Row.all)
    func `equal the seeds of this library`(of row: Row) async throws {
        let derived = try await row.madeSeed()
        #expect(derived.withBytes { TextEncoding.hexadecimal.encode($0) } == row.seed)
    }

    struct Row: Decodable, CustomTestStringConvertible, Sendable {
        let enterprise, credential, kind, generation, share, storeSecret: String
        let factor, pin, salt: String?
        let iterations, memoryKiB, lanes: Int?
        /// Nil if the row is refused: an `AccountRecord` cannot have such parts.
        let seed, comment: String?

        var testDescription: String { comment ?? kind }

        private enum CodingKeys: String, CodingKey {
            case enterprise, credential, kind, generation, pin, iterations, lanes, comment
            case share = "share_hex"
            case storeSecret = "store_secret_hex"
            case factor = "factor_hex"
            case salt = "salt_hex"
            case memoryKiB = "memory_kib"
            case seed = "seed_hex"
        }

        static var all: [Row] {
            get throws {
                let file = URL(fileURLWithPath: #filePath)
                    .appendingPathComponent("../../../../Vectors/Protocol/credential-seed.json")
                let document = try JSONDecoder().decode(
                    Document.self,
                    from: Data(contentsOf: file.standardized)
                )
                return document.cases.filter { $0.seed != nil }
            }
        }

        private struct Document: Decodable {
            let cases: [Row]
        }
    }
}

extension `Seed vectors`.Row {
    fileprivate func madeSeed() async throws -> CredentialSeed {
        let (ingredients, context, secrets) = (try ingredients(), try context(), try secrets())
        switch context.kind {
        case .user:
            let pin = try secretBytes(pin.unwrapped())
            return try await ingredients.userSeed(of: context, pin: pin, secrets)
        case .device: return try ingredients.deviceSeed(of: context, secrets)
        case .biometric:
            let bytes = try TextEncoding.hexadecimal.decode(factor.unwrapped())
            guard let key = try BiometricKey(SecretBytes(copying: bytes.span)) else {
                throw NoKey()
            }
            return try ingredients.biometricSeed(of: context, key: key, secrets)
        }
    }

    private struct NoKey: Error {}

    private func context() throws -> CredentialContext {
        CredentialContext(
            enterprise: try #require(EnterpriseID(enterprise)),
            id: try #require(CredentialID(credential)),
            kind: try #require(CredentialKind(rawValue: kind)),
            generation: Generation(try #require(UInt64(generation)))
        )
    }

    private func ingredients() throws -> SeedIngredients {
        SeedIngredients(
            generation: try context().generation,
            share: try TextEncoding.hexadecimal.decode(share),
            salt: try salt.map(TextEncoding.hexadecimal.decode) ?? [],
            cost: try Argon2id.Cost(
                passes: iterations ?? 1,
                memoryKiB: memoryKiB ?? 8,
                lanes: lanes ?? 1
            )
        )
    }

    private func secrets() throws -> DeviceSecrets {
        DeviceSecrets(
            storeSecret: try bytes(storeSecret),
            devicePIN: try bytes(factor ?? storeSecret),
            key: try P256.PrivateKey()
        )
    }

    private func bytes(_ text: String) throws -> SecureBytes {
        let bytes = try TextEncoding.hexadecimal.decode(text)
        return try SecureBytes(copying: bytes.span)
    }
}
