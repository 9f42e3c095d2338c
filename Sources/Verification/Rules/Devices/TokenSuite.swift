package import OneTimePassword

/// How an imported token computes its codes: HOTP directly over its secret.
package struct TokenSuite: Equatable, Sendable {
    package let algorithm: HMACAlgorithm
    package let digits: HOTP.Digits

    package init(algorithm: HMACAlgorithm = .sha1, digits: HOTP.Digits = .six) {
        self.algorithm = algorithm
        self.digits = digits
    }

    /// The OCRA name of the function (RFC 6287, section 6.1): `HOTP-SHA1-6`.
    package var text: String { "HOTP-\(algorithm.rawValue)-\(digits.rawValue)" }

    /// Nil if it does not name a supported function.
    package init?(_ text: String) {
        for algorithm in HMACAlgorithm.allCases {
            for digits in HOTP.Digits.allCases {
                self.init(algorithm: algorithm, digits: digits)
                if self.text == text { return }
            }
        }
        return nil
    }
}
