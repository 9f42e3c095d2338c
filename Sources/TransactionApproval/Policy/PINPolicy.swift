/// Which PINs a person may choose.
///
/// It is asked before anything is derived, on the device alone, and reads the digits where they
/// lie.
public struct PINPolicy: Equatable, Sendable {
    /// Whether an enterprise may go below six digits.
    package enum ShortPINs: Sendable {
        case refused
        /// For banks that have four digits and cannot leave them.
        case allowed
    }

    /// Why a PIN is refused: the first of these that it breaks.
    public enum Rule: String, CaseIterable, Sendable {
        /// Something other than the ASCII digits.
        case notDigits
        case tooShort
        case tooLong
        /// Fewer than three different digits, or a part that comes again, mirrored or not.
        case repeated
        /// Digits that rise or fall evenly, or two such halves.
        case sequence
        /// A day, a month with its year, or a year.
        case date
        /// A pattern of the keypad or a number that many know.
        case commonlyChosen
    }

    /// Six to twelve digits.
    package static let standard = PINPolicy(digitCounts: 6...12)

    public let digitCounts: ClosedRange<Int>

    private init(digitCounts: ClosedRange<Int>) {
        self.digitCounts = digitCounts
    }

    /// Nil below six digits unless those are allowed, below four, and beyond twelve.
    package init?(minimumDigits: Int, maximumDigits: Int = 12, shortPINs: ShortPINs = .refused) {
        let least = shortPINs == .allowed ? 4 : 6
        guard least <= minimumDigits, minimumDigits <= maximumDigits, maximumDigits <= 12 else {
            return nil
        }
        self.init(digitCounts: minimumDigits...maximumDigits)
    }

    /// Nil for a PIN that may be chosen.
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
