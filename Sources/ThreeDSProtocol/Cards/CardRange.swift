/// The card numbers of one length from the first to the last one.
package struct CardRange: Equatable, Sendable {
    private let first: [UInt8]
    private let last: [UInt8]

    /// Nil unless both have the same count of digits, 13 to 19, and are in ascending order.
    package init?(from first: String, to last: String) {
        let (first, last) = (Array(first.utf8), Array(last.utf8))
        guard (13...19).contains(first.count), first.count == last.count,
            (first + last).allSatisfy(isDigit), !precedes(last.span, first.span)
        else { return nil }
        (self.first, self.last) = (first, last)
    }

    package func contains(_ number: CardNumber) -> Bool {
        var isInside = false
        number.withDigits { digits in
            isInside =
                digits.count == first.count && !precedes(digits, first.span)
                && !precedes(last.span, digits)
        }
        return isInside
    }
}

/// Compares two numbers of one length without a copy of their digits.
private func precedes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    for index in left.indices where left[index] != right[index] {
        return left[index] < right[index]
    }
    return false
}
