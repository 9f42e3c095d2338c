import TestSupport
import Testing

@testable import OneTimePassword

/// Consecutive codes of one key, compared with random digits.
///
/// Keys are fixed, so a result never changes by chance. A limit of five standard deviations leaves
/// less than one fixed key in a million outside.
@Suite struct `SEC-44: consecutive codes` {
    private static let count = Proof.isComplete ? 1_000_000 : 100_000

    private let codes: [Int]

    init() throws {
        codes = try Self.codes(of: Self.key)
    }

    private static let key = (0..<32).map { UInt8($0 * 7) }

    private static func codes(of key: [UInt8]) throws -> [Int] {
        let hotp = try HOTP(secret: Secret(copying: key.span))
        return try (0..<count).map { number in
            try #require(Int(hotp.code(at: Counter(UInt64(number))).text))
        }
    }

    /// How many standard deviations the counts differ from an even distribution (chi-squared).
    private func deviation(_ values: [Int], of valueCount: Int) -> Double {
        var counts = [Int](repeating: 0, count: valueCount)
        for value in values { counts[value] += 1 }
        let expected = Double(values.count) / Double(valueCount)
        let sum = counts.reduce(0.0) { sum, count in
            sum + (Double(count) - expected) * (Double(count) - expected) / expected
        }
        let freedom = Double(valueCount - 1)
        return ((sum - freedom) / (2 * freedom).squareRoot()).magnitude
    }

    /// In thousands.
    private func differences(_ codes: [Int], _ others: [Int]) -> [Int] {
        zip(codes, others).map { code, other in (other - code + 1_000_000) % 1_000_000 / 1000 }
    }

    @Test func `have all digits at all places equally often`() {
        #expect(deviation(codes.map { $0 / 1000 }, of: 1000) < 5)
        #expect(deviation(codes.map { $0 % 1000 }, of: 1000) < 5)
    }

    @Test func `do not determine the next code`() {
        let pairs = zip(codes, codes.dropFirst())
        for place in [1, 10, 100, 1000, 10_000, 100_000] {
            let values = pairs.map { first, second in
                (first / place % 10) * 10 + second / place % 10
            }
            #expect(deviation(values, of: 100) < 5, "place \(place)")
        }
        #expect(deviation(differences(codes, Array(codes.dropFirst())), of: 1000) < 5)
    }

    @Test func `differ from those of a key that differs in one bit`() throws {
        let others = try Self.codes(of: [Self.key[0] ^ 1] + Self.key.dropFirst())
        #expect(deviation(differences(codes, others), of: 1000) < 5)
    }

    @Test func `are judged by a check that finds small deviations`() {
        let biased = codes.map { $0 % 1000 < 20 ? $0 / 1000 * 1000 + 500 : $0 }
        #expect(deviation(biased.map { $0 % 1000 }, of: 1000) > 5)
        let counting = codes.indices.map { $0 % 1000 }
        #expect(deviation(counting, of: 1000) > 5, "too even")
    }
}
