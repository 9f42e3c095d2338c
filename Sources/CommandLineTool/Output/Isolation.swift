extension String {
    /// The text for a line with other text: right-to-left letters are in an isolate (UAX 9).
    ///
    /// Otherwise they would move numbers and punctuation around them. A text without such letters
    /// does not change, so that copies of the screen stay clean.
    package var isolated: String {
        guard unicodeScalars.contains(where: \.isRightToLeft) else { return self }
        return "\(Isolate.start)\(onOneLine)\(Isolate.end)"
    }
}

extension [String] {
    /// The lines of one text: an isolate ends with its line, and begins again on the next one.
    ///
    /// A part of an isolate without right-to-left letters needs none.
    var withWholeIsolates: [String] {
        var isOpen = false
        return map { line in
            var scalars = Array<Unicode.Scalar>(line.unicodeScalars)
            let continues = isOpen
            if continues { scalars.insert(Isolate.start, at: 0) }
            isOpen = scalars.last { $0 == Isolate.start || $0 == Isolate.end } == Isolate.start
            if isOpen { scalars.append(Isolate.end) }
            if continues { Isolate.removeIfNeedless(at: 0, of: &scalars) }
            if isOpen, let start = scalars.lastIndex(of: Isolate.start) {
                Isolate.removeIfNeedless(at: start, of: &scalars)
            }
            return String(String.UnicodeScalarView(scalars))
        }
    }
}

/// The characters around a text that does not move other text.
enum Isolate {
    static let start: Unicode.Scalar = "\u{2068}"
    static let end: Unicode.Scalar = "\u{2069}"

    fileprivate static func removeIfNeedless(at place: Int, of scalars: inout [Unicode.Scalar]) {
        let content = scalars[(place + 1)...].prefix { $0 != start && $0 != end }
        guard
            content.endIndex < scalars.count, scalars[content.endIndex] == end,
            !content.contains(where: \.isRightToLeft)
        else { return }
        scalars.remove(at: content.endIndex)
        scalars.remove(at: place)
    }
}

extension Unicode.Scalar {
    /// The blocks of right-to-left scripts (UAX 9, table of default values).
    private static let rightToLeft: [ClosedRange<UInt32>] = [
        0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
    ]

    var isRightToLeft: Bool {
        value >= 0x0590 && Self.rightToLeft.contains { $0.contains(value) }
    }
}
