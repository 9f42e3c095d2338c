/// The scripts that languages widely use today.
///
/// Unicode Standard Annex #31, table 5, recommends them for identifiers; Hiragana and Katakana
/// count as one. Other scripts are historic or rare, and some imitate Latin.
enum Script: UInt8, Sendable {
    /// Marks, symbols and digits that belong to no script.
    case common
    case latin, greek, cyrillic, armenian, hebrew, arabic, thaana, ethiopic, georgian
    case devanagari, bengali, gurmukhi, gujarati, oriya, tamil, telugu, kannada, malayalam, sinhala
    case thai, lao, tibetan, myanmar, khmer
    case hangul, kana, bopomofo, han

    /// Nil for another script, an emoji, or a symbol that imitates letters, digits or punctuation.
    init?(of scalar: Unicode.Scalar) {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].last < scalar.value { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, ranges[low].first <= scalar.value else { return nil }
        self = ranges[low].script
    }

    /// The maximum for one letter: more would overlap the lines above and below.
    ///
    /// Brahmic scripts write vowels and inner consonants as marks: a Hindi letter has up to three,
    /// a Burmese letter up to five.
    var maximumMarks: Int {
        switch self {
        case .devanagari, .bengali, .gurmukhi, .gujarati, .oriya, .tamil, .telugu, .kannada,
            .malayalam, .sinhala, .tibetan, .myanmar, .khmer:
            5
        default: 2
        }
    }
}

/// The scripts of a word.
struct Scripts: OptionSet {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ script: Script) { rawValue = 1 << script.rawValue }

    private static let latinAndHan: Scripts = [Scripts(.latin), Scripts(.han)]

    /// One script, or a combination of Japanese, Chinese or Korean (Unicode Technical Standard #39,
    /// section 5.2, highly restrictive).
    var canShareWord: Bool {
        if rawValue.nonzeroBitCount <= 1 { return true }
        let others = subtracting(Self.latinAndHan)
        return others.isEmpty || others == Scripts(.kana) || others == Scripts(.bopomofo)
            || others == Scripts(.hangul)
    }
}

/// In ascending order.
///
/// Characters that are neither letter, mark nor number belong to every script.
private let ranges: [(first: UInt32, last: UInt32, script: Script)] = [
    (0x0020, 0x0040, .common), (0x0041, 0x005A, .latin), (0x005B, 0x0060, .common),
    (0x0061, 0x007A, .latin), (0x007B, 0x007E, .common), (0x00A1, 0x00BF, .common),
    // Without the click letters, which imitate | and !.
    (0x00C0, 0x01BF, .latin), (0x01C4, 0x02AF, .latin),
    // The letter apostrophes of Hawaiian and Hausa.
    (0x02BB, 0x02BC, .common),
    (0x0300, 0x036F, .common), (0x0370, 0x03FF, .greek), (0x0400, 0x052F, .cyrillic),
    (0x0531, 0x058F, .armenian), (0x0591, 0x05F4, .hebrew), (0x0600, 0x06FF, .arabic),
    (0x0750, 0x077F, .arabic), (0x0780, 0x07BF, .thaana), (0x08A0, 0x08FF, .arabic),
    (0x0900, 0x097F, .devanagari), (0x0980, 0x09FF, .bengali), (0x0A00, 0x0A7F, .gurmukhi),
    (0x0A80, 0x0AFF, .gujarati), (0x0B00, 0x0B7F, .oriya), (0x0B80, 0x0BFF, .tamil),
    (0x0C00, 0x0C7F, .telugu), (0x0C80, 0x0CFF, .kannada), (0x0D00, 0x0D7F, .malayalam),
    (0x0D80, 0x0DFF, .sinhala), (0x0E00, 0x0E7F, .thai), (0x0E80, 0x0EFF, .lao),
    (0x0F00, 0x0FFF, .tibetan), (0x1000, 0x109F, .myanmar), (0x10A0, 0x10FF, .georgian),
    (0x1200, 0x139F, .ethiopic), (0x1780, 0x17FF, .khmer), (0x1C90, 0x1CBF, .georgian),
    (0x1E00, 0x1EFF, .latin), (0x1F00, 0x1FFF, .greek),
    // Dashes, quotation marks, dots, primes; not the look-alikes of full stop, comma and slash.
    (0x2010, 0x2022, .common), (0x2026, 0x2026, .common), (0x2030, 0x2030, .common),
    (0x2032, 0x2033, .common), (0x2039, 0x203B, .common), (0x20A0, 0x20CF, .common),
    // №, ™, four arrows, −, ≠, ≤ and ≥.
    (0x2116, 0x2116, .common), (0x2122, 0x2122, .common), (0x2190, 0x2193, .common),
    (0x2212, 0x2212, .common), (0x2260, 0x2260, .common), (0x2264, 0x2265, .common),
    (0x3001, 0x3003, .common), (0x3005, 0x3007, .han), (0x3008, 0x3011, .common),
    (0x3014, 0x301B, .common), (0x3041, 0x30FF, .kana), (0x3105, 0x312F, .bopomofo),
    (0x3131, 0x318E, .hangul), (0x31A0, 0x31BF, .bopomofo), (0x31F0, 0x31FF, .kana),
    (0x3400, 0x4DBF, .han), (0x4E00, 0x9FFF, .han), (0xAC00, 0xD7A3, .hangul),
    (0xF900, 0xFAFF, .han),
    // The wide and narrow forms that Japanese banks use.
    (0xFF01, 0xFF20, .common), (0xFF21, 0xFF3A, .latin), (0xFF3B, 0xFF40, .common),
    (0xFF41, 0xFF5A, .latin), (0xFF5B, 0xFF65, .common), (0xFF66, 0xFF9F, .kana),
    (0xFFE0, 0xFFE6, .common), (0x20000, 0x3FFFF, .han),
]
