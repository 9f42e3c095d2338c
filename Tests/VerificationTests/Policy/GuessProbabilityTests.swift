import TestSupport
import Testing

@testable import Sealing
@testable import Verification

@Suite struct `The probability of guessing` {
    @Test func `SEC-06: a stranger's probability is that of RFC 4226`() {
        let eight = GuessProbability(
            lock: .default,
            lookAhead: 10,
            typedDigits: 8,
            minimumPINDigits: 6
        )
        #expect(abs(eight.stranger - 5.5e-7) < 1e-12)
        let six = GuessProbability(
            lock: .default,
            lookAhead: 10,
            typedDigits: 6,
            minimumPINDigits: 6
        )
        #expect(abs(six.stranger - 5.5e-5) < 1e-10)
    }

    @Test func `SEC-06: a thief's probability is at least one PIN per attempt`() {
        let probability = GuessProbability(
            lock: .default,
            lookAhead: 0,
            typedDigits: 8,
            minimumPINDigits: 6
        )
        #expect(probability.thief >= 5e-6)
        #expect(probability.thiefUntilBlock == probability.thief * 3)
    }

    /// Compares the formula with a simulation of balls thrown into bins.
    @Test(arguments: [(100_000, 10_000), (10_000, 1_000_000), (110_000, 100_000)])
    func `the formula bounds the PINs that one code can fit`(_ balls: Int, _ bins: Int) {
        var generator = SeededGenerator(seed: balls)
        var counts = [Int](repeating: 0, count: bins)
        for _ in 0..<balls { counts[Int.random(in: 0..<bins, using: &generator)] += 1 }
        let largest = Double(counts.max() ?? 0)
        let bound = GuessProbability.maximumBin(balls: Double(balls), bins: Double(bins))
        #expect(largest <= bound)
        #expect(bound <= largest * 3)
    }
}
