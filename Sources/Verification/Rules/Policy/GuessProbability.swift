import Glibc

/// How likely guessing succeeds before a credential locks, for the worst case of each guesser.
///
/// A policy that lets it rise above a ceiling is refused when it is loaded (SEC-06).
package struct GuessProbability: Equatable, Sendable {
    /// Somebody who has nothing and guesses typed codes (RFC 4226, section 7.3).
    package let stranger: Double
    /// Somebody who has the device and its store, but not the PIN, and until the first lock sends
    /// either in-band codes, each of which tests one PIN, or the typed codes that fit most PINs.
    package let thief: Double
    /// The same until the credential is blocked for good.
    package let thiefUntilBlock: Double

    package static let standardCeiling = 1e-4

    /// `tokenDigits` is nil where codes of no token are taken, which may be shorter than ours.
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

        // Each PIN gives a code for each counter of the window; the thief submits the code that the
        // largest number of PINs gives.
        let fittingPINs = Self.maximumBin(balls: pins * window, bins: codes)
        let perGuess = min(1, fittingPINs / pins)
        thief = min(1, Double(lock.failuresBeforeLock) * perGuess)
        thiefUntilBlock = min(1, Double(lock.failuresBeforeBlock) * perGuess)
    }

    package var largest: Double { max(stranger, thief) }

    /// How many of `balls` that fall at random lie in the fullest of `bins`, but for one case in a
    /// thousand: the least count that so few bins are expected to exceed.
    static func maximumBin(balls: Double, bins: Double) -> Double {
        let mean = balls / bins
        var count = 0.0
        // Poisson: the probability of exactly `count` in one bin, kept as a logarithm.
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
