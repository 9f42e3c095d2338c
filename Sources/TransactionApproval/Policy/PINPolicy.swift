/// The rules for new PINs.
///
/// Only the device checks them, before it derives a key.
public struct PINPolicy: Equatable, Sendable {
    /// Whether a minimum below six digits is valid.
    package enum ShortPINs: Sendable {
        case refused
        /// Down to four digits, the limit of the protocol. The limit of the verifier is five.
        case allowed
    }

    /// The first rule that a PIN breaks.
    public enum Rule: String, CaseIterable, Sendable {
        case notDigits
        case tooShort
        case tooLong
        /// Fewer than three different digits, or a repeated or mirrored part.
        case repeated
        /// Digits with equal steps, or two such halves.
        case sequence
        /// A day, a month with its year, or a year.
        case date
        /// A keypad pattern or a well-known number.
        case commonlyChosen
    }

    package static let `default` = PINPolicy(digitCounts: 6...12)

    public let digitCounts: ClosedRange<Int>

    private init(digitCounts: ClosedRange<Int>) {
        self.digitCounts = digitCounts
    }

    /// Nil for a minimum below 6 (or below 4, if short PINs are allowed) or a maximum above 12.
    package init?(minimumDigits: Int, maximumDigits: Int = 12, shortPINs: ShortPINs = .refused) {
        let minimum = shortPINs == .allowed ? 4 : 6
        guard minimum <= minimumDigits, minimumDigits <= maximumDigits, maximumDigits <= 12 else {
            return nil
        }
        self.init(digitCounts: minimumDigits...maximumDigits)
    }

    /// Nil if the PIN is allowed.
    package func brokenRule(by pin: Span<UInt8>) -> Rule? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard pin.indices.allSatisfy({ digits.contains(pin[$0]) }) else { return .notDigits }
        guard pin.count >= digitCounts.lowerBound else { return .tooShort }
        guard pin.count <= digitCounts.upperBound else { return .tooLong }
        if pin.repeatsItself { return .repeated }
        if pin.isSequence || pin.isSequenceByHalves { return .sequence }
        if pin.isDate { return .date }
        return pin.isCommonlyChosen ? .commonlyChosen : nil
    }
}
