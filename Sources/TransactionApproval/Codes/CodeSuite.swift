package import OneTimePassword

/// The OCRA suites of this protocol; all others are refused.
package enum CodeSuite: String, CaseIterable, Sendable {
    /// The whole MAC, so that one try tests one PIN.
    case inBand = "OCRA-1:HOTP-SHA256-0:C-QH64"
    /// Eight digits, which a person reads and types.
    case typed = "OCRA-1:HOTP-SHA256-8:C-QH64"

    package var ocraSuite: OCRASuite {
        switch self {
        case .inBand: Self.inBandSuite
        case .typed: Self.typedSuite
        }
    }

    // Both suites are valid; a test reads each.
    // swift-format-ignore: NeverUseForceTry
    private static let inBandSuite = try! OCRASuite(inBand.rawValue)
    // swift-format-ignore: NeverUseForceTry
    private static let typedSuite = try! OCRASuite(typed.rawValue)
}
