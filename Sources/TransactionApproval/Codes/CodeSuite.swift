package import OneTimePassword

/// The OCRA suites that a credential may be bound to: what else a message or an import names is
/// refused.
package enum CodeSuite: String, CaseIterable, Sendable {
    /// The whole MAC: one try tests one PIN.
    case inBand = "OCRA-1:HOTP-SHA256-0:C-QH64"
    /// Eight digits, read off the device and entered elsewhere.
    case typed = "OCRA-1:HOTP-SHA256-8:C-QH64"

    package var ocraSuite: OCRASuite {
        switch self {
        case .inBand: Self.inBandSuite
        case .typed: Self.typedSuite
        }
    }

    // Both names are in the grammar: a test reads each.
    // swift-format-ignore: NeverUseForceTry
    private static let inBandSuite = try! OCRASuite(inBand.rawValue)
    // swift-format-ignore: NeverUseForceTry
    private static let typedSuite = try! OCRASuite(typed.rawValue)
}
