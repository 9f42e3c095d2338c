import Foundation
import Testing

@testable import Cryptography

@Suite struct `SEC-14: comparison in constant time` {
    @Test(arguments: [0, 1, 20, 32, 64])
    func `accepts equal bytes and rejects one changed bit`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(try areEqual(bytes, bytes))
        for bit in 0..<count * 8 {
            #expect(try !areEqual(bytes, bytes.flipping(bit: bit)))
        }
    }

    @Test func `rejects bytes of another length`() throws {
        #expect(try !areEqual([0, 0], [0]))
        #expect(try !areEqual([], [0]))
    }

    @Test func `compares digests by their bytes`() throws {
        let one: [UInt8] = [1]
        let digest = try HashAlgorithm.sha256.digest(of: Span())
        #expect(digest == (try HashAlgorithm.sha256.digest(of: Span())))
        #expect(digest != (try HashAlgorithm.sha256.digest(of: one.span)))
        #expect(digest != (try HashAlgorithm.sha512.digest(of: Span())))
    }

    @Test func `uses OpenSSL's function everywhere in Cryptography`() throws {
        let sources = URL(filePath: #filePath)
            .appending(path: "../../../../Sources/Cryptography").standardized
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        let texts = try files.map {
            try String(contentsOf: sources.appending(path: $0), encoding: .utf8)
        }
        let occurrences = { (word: String) in
            texts.reduce(0) { $0 + $1.components(separatedBy: word).count - 1 }
        }
        #expect(texts.count > 10)
        #expect(occurrences("CRYPTO_memcmp(") == 2)
        #expect(occurrences(" memcmp(") + occurrences("elementsEqual") == 0)
    }

    /// The result of both comparisons, which must be equal.
    private func areEqual(_ left: [UInt8], _ right: [UInt8]) throws -> Bool {
        let result = equalInConstantTime(left.span, right.span)
        let other = try SecureBytes(right)
        let isSameSecret = try SecureBytes(left).equalsInConstantTime(other)
        #expect(result == isSameSecret)
        return result
    }
}
