import Testing
import TransactionApproval

@testable import VerifierServer

@Suite struct `The nonce memory` {
    private let start = Timestamp.earliest + .seconds(1_800_000_000)

    @Test func `remembers a nonce while its signature can be valid`() throws {
        let memory = NonceMemory(capacity: 100)
        // Signed ahead by the maximum skew, it is valid until it is behind by as much.
        let request = try DeviceSignatureParameters.random(start + .seconds(120))
        #expect(memory.isFirst(request, at: start))
        for second in stride(from: 0, through: 240, by: 20) {
            _ = memory.isFirst(try .random(start), at: start + .seconds(second))
            #expect(!memory.isFirst(request, at: start + .seconds(second)))
        }
    }

    @Test func `forgets expired nonces`() throws {
        let memory = NonceMemory(capacity: 100)
        let request = try DeviceSignatureParameters.random(start)
        #expect(memory.isFirst(request, at: start))
        _ = memory.isFirst(try .random(start), at: start + .seconds(240))
        #expect(memory.isFirst(request, at: start + .seconds(480)))
    }

    @Test func `keeps the latest nonces when it is full`() throws {
        let memory = NonceMemory(capacity: 4)
        let requests = try (0..<9).map { _ in try DeviceSignatureParameters.random(start) }
        for request in requests { #expect(memory.isFirst(request, at: start)) }
        for request in requests.suffix(5) { #expect(!memory.isFirst(request, at: start)) }
        #expect(memory.isFirst(requests[0], at: start))
    }
}

extension DeviceSignatureParameters {
    fileprivate static func random(_ created: Timestamp) throws -> DeviceSignatureParameters {
        DeviceSignatureParameters(deviceID: try .random(), created: created, nonce: try .random())
    }
}
