package import OneTimePassword

/// How a token that was not made for Countersign computes its codes: HOTP over its secret itself.
package struct TokenSuite: Equatable, Sendable {
    package let algorithm: HMACAlgorithm
    package let digits: HOTP.Digits

    package init(algorithm: HMACAlgorithm = .sha1, digits: HOTP.Digits = .six) {
        self.algorithm = algorithm
        self.digits = digits
    }

    /// As OCRA names such a function (RFC 6287, section 6.1): `HOTP-SHA1-6`.
    package var text: String { "HOTP-\(algorithm.rawValue)-\(digits.rawValue)" }

    /// Nil where it names none of ours.
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
