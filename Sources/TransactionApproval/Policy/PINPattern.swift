// Finds PINs that an attacker would try first. The input has at least four ASCII digits; no digit
// is copied.

extension Span<UInt8> {
    /// 121212, 123123, 123321, 117711.
    var repeatsItself: Bool {
        let different = indices.reduce(UInt16(0)) { $0 | 1 << UInt16(self[$1] & 0xF) }
        let isMirrored = indices.allSatisfy { self[$0] == self[count - 1 - $0] }
        return different.nonzeroBitCount < 3 || isMirrored
            || (1...count / 2).contains { period in
                count % period == 0
                    && (period..<count).allSatisfy { self[$0] == self[$0 - period] }
            }
    }

    /// 123456, 975319, 112233: equal steps between digits or between groups of equal digits.
    var isSequence: Bool {
        (1...3).contains { group in
            count % group == 0 && count / group >= 3 && isSequence(ofGroupsOf: group)
        }
    }

    private func isSequence(ofGroupsOf group: Int) -> Bool {
        indices.allSatisfy { self[$0] == self[$0 / group * group] }
            && hasEqualSteps(in: indices, by: group)
    }

    /// 123789, 456321: halves of at least three digits that rise, fall or stay.
    var isSequenceByHalves: Bool {
        let half = count / 2
        return count >= 6 && count % 2 == 0
            && [0, half].allSatisfy { start in
                [0, 1, 9].contains(step(from: start, to: start + 1))
                    && hasEqualSteps(in: start..<start + half, by: 1)
            }
    }

    private func hasEqualSteps(in places: Range<Int>, by distance: Int) -> Bool {
        let first = step(from: places.lowerBound, to: places.lowerBound + distance)
        return stride(from: places.lowerBound, to: places.upperBound - distance, by: distance)
            .allSatisfy { step(from: $0, to: $0 + distance) == first }
    }

    /// Upwards, from 0 to 9: after 9 comes 0.
    private func step(from place: Int, to next: Int) -> Int {
        (Int(self[next]) - Int(self[place]) + 10) % 10
    }
}

// MARK: Dates

extension Span<UInt8> {
    var isDate: Bool {
        switch count {
        case 4: isYear(at: 0) || isDay(at: 0, month: 2) || isDay(at: 2, month: 0)
        case 6:
            isYear(at: 0) && isMonth(at: 4) || isYear(at: 2) && isMonth(at: 0)
                || isDay(at: 0, month: 2) || isDay(at: 2, month: 0) || isDay(at: 4, month: 2)
        case 8:
            isYear(at: 4) && (isDay(at: 0, month: 2) || isDay(at: 2, month: 0))
                || isYear(at: 0) && isDay(at: 6, month: 4)
        default: false
        }
    }

    private func isYear(at place: Int) -> Bool {
        ["19", "20"].contains { matches($0, at: place) }
    }

    private func isMonth(at place: Int) -> Bool { (1...12).contains(twoDigits(at: place)) }

    private func isDay(at place: Int, month monthPlace: Int) -> Bool {
        guard isMonth(at: monthPlace) else { return false }
        let days =
            switch twoDigits(at: monthPlace) {
            case 2: 29
            case 4, 6, 9, 11: 30
            default: 31
            }
        return (1...days).contains(twoDigits(at: place))
    }

    private func twoDigits(at place: Int) -> Int {
        Int(self[place] & 0xF) * 10 + Int(self[place + 1] & 0xF)
    }
}

// MARK: Common choices

extension Span<UInt8> {
    var isCommonlyChosen: Bool {
        commonChoices.contains { $0.utf8CodeUnitCount == count && matches($0, at: 0) }
    }

    private func matches(_ text: StaticString, at place: Int) -> Bool {
        text.withUTF8Buffer { text in
            text.indices.allSatisfy { self[place + $0] == text[$0] }
        }
    }
}

/// Keypad patterns, famous numbers and counting patterns that the other rules do not find.
private let commonChoices: [StaticString] = [
    // Lines and turns on the keypad.
    "2580", "0852", "1379", "1397", "3179", "1478", "1236", "3698", "1590", "147258", "258369",
    "147369", "369147", "147852", "258963", "963852", "852741", "741963", "963741", "159357",
    "357159", "159753", "753159", "951357", "357951", "753951", "951753", "258456", "456258",
    "852456", "456852", "134679", "137946", "139713", "142536", "145236", "124578", "235689",
    "326598", "147896", "369874", "123698", "321478", "789632", "987412", "258025", "741236",
    "963214", "123580", "147258369", "963852741", "147896325", "123698745", "159357258",
    "14725836", "14789632", "12369874",
    // Famous numbers.
    "3141", "2718", "5683", "314159", "141592", "271828", "141421", "161803", "299792",
    "602214", "662607", "867530", "142857", "428571", "8675309", "3141592", "2718281",
    "31415926", "27182818", "11235813", "14142135", "5201314", "1314520", "131452",
    // Counting games.
    "203040", "302010", "192837", "918273", "123450", "123457", "234560", "124816", "248163",
    "333221", "246810", "108642", "135246", "246135", "131415", "123412", "12345600",
    "12345670", "1020304050", "10203040", "12345679", "12312312", "1231231234",
]
