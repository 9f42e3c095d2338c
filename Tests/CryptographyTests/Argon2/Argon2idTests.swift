import Foundation
import Testing

@testable import Cryptography

@Suite struct `Argon2id key derivation` {
    private let salt = [UInt8](repeating: 2, count: 16)

    // RFC 9106, section 5.3.
    @Test func `matches the published value`() async throws {
        let key = try await Argon2id.deriveKey(
            from: try SecureBytes([UInt8](repeating: 1, count: 32)),
            salt: salt,
            secret: try SecureBytes([UInt8](repeating: 3, count: 8)),
            associatedData: [UInt8](repeating: 4, count: 12),
            cost: try Argon2id.Cost(passes: 3, memoryKiB: 32, lanes: 4),
            byteCount: 32
        )
        let expected = "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"
        #expect(key.array == (try [UInt8](hexadecimal: expected)))
    }

    @Test func `depends on every input`() async throws {
        let cost = try Argon2id.Cost(passes: 1, memoryKiB: 16, lanes: 1)
        let costs = [
            cost, try Argon2id.Cost(passes: 2, memoryKiB: 16, lanes: 1),
            try Argon2id.Cost(passes: 1, memoryKiB: 24, lanes: 1),
            try Argon2id.Cost(passes: 1, memoryKiB: 16, lanes: 2),
        ]
        var keys: Set<[UInt8]> = []
        for cost in costs { keys.insert(try await derive([1], salt, cost)) }
        keys.insert(try await derive([2], salt, cost))
        keys.insert(try await derive([], salt, cost))
        keys.insert(try await derive([1], salt + [0], cost))
        keys.insert(try await derive([1], salt, cost, secret: [0]))
        keys.insert(try await derive([1], salt, cost, associatedData: [0]))
        #expect(keys.count == 9)
        #expect(keys.contains(try await derive([1], salt, cost)))
    }

    @Test(arguments: [
        (1, 8, 1), (10, 8, 1), (1, 1 << 20, 1), (1, 64, 8), (1, 1 << 20, 8), (3, 32, 4),
    ])
    func `accepts costs within the limits`(passes: Int, memoryKiB: Int, lanes: Int) throws {
        let cost = try Argon2id.Cost(passes: passes, memoryKiB: memoryKiB, lanes: lanes)
        #expect(cost.passes == passes && cost.memoryKiB == memoryKiB && cost.lanes == lanes)
    }

    @Test(arguments: [
        (0, 64, 1), (-1, 64, 1), (11, 64, 1), (.max, 64, 1), (.min, 64, 1),
        (1, 7, 1), (1, 0, 1), (1, -8, 1), (1, (1 << 20) + 1, 1), (1, .max, 1), (1, .min, 1),
        (1, 64, 0), (1, 64, -1), (1, 71, 9), (1, 63, 8), (1, 15, 2), (1, 64, .max), (1, 64, .min),
    ])
    func `rejects costs outside the limits`(passes: Int, memoryKiB: Int, lanes: Int) {
        #expect(throws: CryptographyFailure.costOutOfRange) {
            _ = try Argon2id.Cost(passes: passes, memoryKiB: memoryKiB, lanes: lanes)
        }
    }

    @Test func `has named costs within the limits`() throws {
        for cost in [Argon2id.Cost.floor, .constrainedMemory] {
            let checked = try Argon2id.Cost(
                passes: cost.passes,
                memoryKiB: cost.memoryKiB,
                lanes: cost.lanes
            )
            #expect(checked == cost)
        }
    }

    @Test(arguments: [(7, 32), (0, 32), (16, 3), (16, 0), (16, -1), (16, 1025), (16, .max)])
    func `rejects a short salt and an invalid key length`(
        saltByteCount: Int,
        byteCount: Int
    ) async throws {
        let password = try SecureBytes([1])
        let salt = [UInt8](repeating: 2, count: saltByteCount)
        await #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try await Argon2id.deriveKey(
                from: password,
                salt: salt,
                cost: .floor,
                byteCount: byteCount
            )
        }
    }

    @Test(arguments: [(1025, 0), (1 << 20, 0), (16, 1025), (16, 1 << 20)])
    func `rejects inputs longer than libargon2's 32-bit lengths`(
        saltByteCount: Int,
        associatedByteCount: Int
    ) async throws {
        await #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try await derive(
                [1],
                [UInt8](repeating: 2, count: saltByteCount),
                .floor,
                associatedData: [UInt8](repeating: 4, count: associatedByteCount)
            )
        }
    }

    @Test func `accepts inputs as long as the maximum key`() async throws {
        let longest = [UInt8](repeating: 2, count: 1024)
        let cost = try Argon2id.Cost(passes: 1, memoryKiB: 8, lanes: 1)
        let key = try await derive([1], longest, cost, associatedData: longest, byteCount: 1024)
        #expect(key.count == 1024)
    }

    @Test(arguments: [4, 1024]) func `derives keys of every length between`(
        byteCount: Int
    ) async throws {
        let cost = try Argon2id.Cost(passes: 1, memoryKiB: 8, lanes: 1)
        let key = try await derive([1], Array(salt.prefix(8)), cost, byteCount: byteCount)
        #expect(key.count == byteCount)
    }

    // An exit test, so that no other test delays the ticks.
    @Test func `does not block the cooperative pool`() async {
        await #expect(processExitsWith: .success) {
            let first = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount + 2 {
                    group.addTask {
                        let password = try SecureBytes([1])
                        let salt = [UInt8](repeating: 2, count: 16)
                        _ = try await Argon2id.deriveKey(
                            from: password,
                            salt: salt,
                            cost: .constrainedMemory,
                            byteCount: 32
                        )
                        return "derivation"
                    }
                }
                group.addTask {
                    for _ in 0..<100 { await Task.yield() }
                    return "ticks"
                }
                return try await group.next()
            }
            #expect(first == "ticks")
        }
    }

    private func derive(
        _ password: [UInt8],
        _ salt: [UInt8],
        _ cost: Argon2id.Cost,
        secret: [UInt8] = [],
        associatedData: [UInt8] = [],
        byteCount: Int = 32
    ) async throws -> [UInt8] {
        try await Argon2id.deriveKey(
            from: try SecureBytes(password),
            salt: salt,
            secret: try SecureBytes(secret),
            associatedData: associatedData,
            cost: cost,
            byteCount: byteCount
        ).array
    }
}
