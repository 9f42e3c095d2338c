import Cryptography
import Foundation
import Testing
import VectorTesting

@Suite(.needsExtraVectors(for: "libargon2's own tests"))
struct `libargon2's own tests` {
    private struct File: Decodable {
        let vectors: [Vector]
        let negative: [Refusal]
    }

    private struct Vector: Decodable {
        let type, password, salt, tagHex: String
        let version, iterations, memoryKib, lanes, tagLength: Int
    }

    private struct Refusal: Decodable {
        struct Parameters: Decodable {
            let t, m, p: Int
            let password, salt: String
        }
        /// If it is missing, the row is an encoded text, which this package does not read.
        let params: Parameters?
        let expect: String
    }

    @Test func `match for Argon2id in its current version`() async throws {
        let vectors = try file().vectors
        let ours = vectors.filter { $0.type == "argon2id" && $0.version == 19 }
        #expect(!ours.isEmpty)
        for vector in ours {
            let tag = try await derive(
                vector.password,
                vector.salt,
                (vector.iterations, vector.memoryKib, vector.lanes),
                byteCount: vector.tagLength
            )
            #expect(tag == (try TextEncoding.hexadecimal.decode(vector.tagHex)), "\(vector)")
        }
        print(
            "libargon2_tests.json: \(ours.count) rows checked,",
            "\(vectors.count - ours.count) of another type or version not run"
        )
    }

    @Test func `are rejected below the minimum cost`() async throws {
        let refusals = try file().negative
        let parameters = refusals.compactMap(\.params)
        #expect(!parameters.isEmpty)
        for row in parameters {
            await #expect(throws: CryptographyFailure.self, "\(row)") {
                _ = try await derive(row.password, row.salt, (row.t, row.m, row.p), byteCount: 32)
            }
        }
        print(
            "libargon2_tests.json: \(parameters.count) refusals checked,",
            "\(refusals.count - parameters.count) of encoded texts not run"
        )
    }

    private func file() throws -> File {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(File.self, from: try ExtraVectors.read("libargon2_tests.json"))
    }

    private func derive(
        _ password: String,
        _ salt: String,
        _ cost: (passes: Int, memoryKiB: Int, lanes: Int),
        byteCount: Int
    ) async throws -> [UInt8] {
        let password = Array(password.utf8)
        let key = try await Argon2id.deriveKey(
            from: try SecureBytes(copying: password.span),
            salt: Array(salt.utf8),
            cost: try .init(passes: cost.passes, memoryKiB: cost.memoryKiB, lanes: cost.lanes),
            byteCount: byteCount
        )
        return key.withBytes { $0.array }
    }
}
