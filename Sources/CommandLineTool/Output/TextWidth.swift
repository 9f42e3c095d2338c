extension String {
    /// The number of columns that it needs on a terminal.
    package var width: Int { unicodeScalars.reduce(0) { $0 + $1.width } }
}

extension Character {
    /// The maximum number of columns; some terminals use fewer.
    var width: Int { unicodeScalars.reduce(0) { $0 + $1.width } }
}

extension Unicode.Scalar {
    /// East Asian characters (UAX 11) and pictographs.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x1F300...0x1FAFF,
        0x20000...0x3FFFD,
    ]

    private var isWide: Bool {
        guard value >= 0x1100 else { return false }
        return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) }
    }

    fileprivate var width: Int {
        guard self != Isolate.start, self != Isolate.end else { return 0 }
        return switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: 0
        default: isWide ? 2 : 1
        }
    }
}
