import Glibc

/// The probability that guessing succeeds before a credential locks, for each attacker's best
/// strategy.
///
/// A policy above the ceiling is refused when it is loaded (SEC-06).
package struct GuessProbability: Equatable, Sendable {
    /// An attacker without the device who guesses typed codes (RFC 4226, section 7.3).
    package let stranger: Double
    /// An attacker with the device but without the PIN, until the first lock.
    ///
    /// They send in-band codes, each of which tests one PIN, or the typed codes that fit most PINs.
    package let thief: Double
    /// The same attacker until the permanent lock.
    package let thiefUntilBlock: Double

    package static let defaultCeiling = 1e-4

    /// `tokenDigits` is nil if tokens, whose codes may be shorter, are not accepted.
    package init(
        lock: LockPolicy,
        lookAhead: Int,
        typedDigits: Int,
        tokenDigits: Int? = nil,
        minimumPINDigits: Int
    ) {
        let codes = pow(10, Double(typedDigits))
        let fewestCodes = pow(10, Double(min(typedDigits, tokenDigits ?? typedDigits)))
        let pins = pow(10, Double(minimumPINDigits))
        let window = Double(lookAhead + 1)
        stranger = min(1, Double(lock.failuresBeforeLock) * window / fewestCodes)

        // Each PIN gives one code per counter in the window. The attacker submits the code that the
        // most PINs give.
        let fittingPINs = Self.maximumBin(balls: pins * window, bins: codes)
        let perGuess = min(1, fittingPINs / pins)
        thief = min(1, Double(lock.failuresBeforeLock) * perGuess)
        thiefUntilBlock = min(1, Double(lock.failuresBeforeBlock) * perGuess)
    }

    package var maximum: Double { max(stranger, thief) }

    /// The size of the fullest of `bins` after throwing `balls` at random, exceeded in one case of
    /// a thousand.
    static func maximumBin(balls: Double, bins: Double) -> Double {
        let mean = balls / bins
        var count = 0.0
        // Poisson: the probability of exactly `count` balls in one bin, as a logarithm.
        while count < balls {
            let next = count + 1
            let logarithm = next * log(mean) - mean - lgamma(next + 1)
            // Beyond the mean the terms fall at least geometrically, by this ratio.
            let ratio = mean / (next + 1)
            if next > mean, ratio < 1, bins * exp(logarithm) / (1 - ratio) < 1e-3 { break }
            count = next
        }
        return max(1, count)
    }
}
