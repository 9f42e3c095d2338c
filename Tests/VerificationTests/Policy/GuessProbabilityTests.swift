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

    @Test func `SEC-06: the ceiling is one sentence with the numbers of the check`() {
        #expect(
            GuessProbability.ceilingSentence
                == "Of 10,000 stolen devices whose thief guesses until the first lock, at most 1 "
                + "may open."
        )
        #expect(GuessProbability.defaultCeiling == 1.0 / 10_000)
    }

    @Test(arguments: [
        (
            "{}",
            "Of 1,000,000 stolen devices whose thief guesses until the first lock, about 35 open; "
                + "the maximum is 100."
        ),
        (
            #"{"lock": {"failures": 1}}"#,
            "Of 1,000,000 stolen devices whose thief guesses until the first lock, about 7 open; "
                + "the maximum is 100."
        ),
        (
            #"{"minimumTokenDigits": 6, "lookAhead": 19}"#,
            "Of 10,000 devices whose codes a stranger guesses until the first lock, about 1 opens; "
                + "the maximum is 1."
        ),
    ])
    func `SEC-06: an accepted policy has a sentence with its risk and the maximum`(
        _ policy: String,
        _ sentence: String
    ) throws {
        #expect(try EnterprisePolicy(document: policy).guessProbability.sentence() == sentence)
    }

    @Test(arguments: [
        (
            #"{"minimumTokenDigits": 6, "lookAhead": 20}"#,
            "Of 100,000 devices whose codes a stranger guesses until the first lock, about 11 "
                + "open; the maximum is 10."
        ),
        // 1.01 of 10,000 and 10.1 of 100,000 would round to the maximum.
        (
            #"{"minimumTokenDigits": 6, "lookAhead": 100, "lock": {"failures": 1}}"#,
            "Of 1,000,000 devices whose codes a stranger guesses until the first lock, about 101 "
                + "open; the maximum is 100."
        ),
        (
            #"{"minimumTokenDigits": 6, "lookAhead": 59}"#,
            "Of 10,000 devices whose codes a stranger guesses until the first lock, about 3 open; "
                + "the maximum is 1."
        ),
        (
            #"{"pin": {"minimumDigits": 5, "allowsFiveDigits": true}, "lookAhead": 60}"#,
            "Of 10,000 stolen devices whose thief guesses until the first lock, about 3 open; the "
                + "maximum is 1."
        ),
    ])
    func `SEC-06: a refused policy has a sentence with a number above the maximum`(
        _ policy: String,
        _ sentence: String
    ) throws {
        do throws(EnterprisePolicy.Failure) {
            _ = try EnterprisePolicy(document: policy)
            Issue.record("accepted")
        } catch {
            guard case .guessing(let probability) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(probability.sentence() == sentence)
        }
    }

    @Test func `SEC-06: temporary locks give a thief more guesses until the permanent lock`() throws
    {
        let standard = EnterprisePolicy.default.guessProbability
        #expect(
            standard.sentenceUntilBlock
                == "Of 1,000,000 stolen devices whose thief guesses until the permanent lock, about "
                + "105 open."
        )
        let strict = try EnterprisePolicy(document: #"{"lock": {"temporaryLocks": 0}}"#)
        #expect(
            strict.guessProbability.sentenceUntilBlock
                == "Of 1,000,000 stolen devices whose thief guesses until the permanent lock, about "
                + "35 open."
        )
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
