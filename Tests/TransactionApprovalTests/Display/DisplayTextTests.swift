import TestSupport
import Testing
import TransactionApproval

@Suite struct `Display texts` {
    @Test(arguments: accepted)
    func `SEC-40 with visible characters are accepted`(_ text: String) throws {
        #expect(try DisplayText(text).text == text)
        #expect(visible(text) == text)
    }

    @Test(arguments: refused)
    func `SEC-40 that could hide, reorder or imitate are refused`(
        _ text: String,
        _ rule: DisplayText.Rule,
        _ offset: Int
    ) {
        do {
            _ = try DisplayText(text)
            Issue.record("accepted")
        } catch {
            #expect(error.rule == rule && error.offset == offset, "\(error)")
        }
    }

    @Test func `are refused without being repeated`() throws {
        let refusal = #expect(throws: DisplayText.Refusal.self) {
            try DisplayText("geheim\u{202e}")
        }
        #expect(!"\(try #require(refusal))".contains("geheim"))
    }

    @Test func `are counted in scalars`() throws {
        #expect(try DisplayText("Ẹ\u{301}").count == 2)
        #expect(try DisplayText("नि").count == 2)
    }

    private static let accepted = [
        // Latin, in many languages.
        "a", "Pay 47.11 EUR to Ann", "Grüße aus Köln", "Zoë & co/1%", "Åse Ødegård", "Łódź",
        "Çeşme",
        "İstanbul'da ılık", "Nguyễn Thị Thảo", "Þórður Æsir", "Ħal Għaxaq", "Kąkol–Żółw",
        "l·l: paral·lel", "O'Brien", "O’Brien", "Hawaiʻi", "ɓarna ƙwai", "ǆ", "ºª", "½ kg ± 2 °C",
        "§ 5, № 7 — “quoted” «too» …", "€ £ ¥ ₹ ₿ $", "5 ≤ 6 → 7", "user@bank.example",
        "+49 (30) 123-456/7 #8", "{[<>]}|~^_`\\", "Ẹ\u{301}kọ\u{301}",
        // Greek and Cyrillic.
        "Αθήνα", "ἀρχή", "Ελλάδα Α.Ε.", "Оплата счёта", "Київ'ська", "Ђорђе Љубић", "Ақтөбе",
        "SMS-код", "IT-услуги и PIN-код", "BMW Москва", "Visa Ελλάς",
        // Right to left, marks and other digits.
        "שלום עולם", "צה״ל", "مرحبا بالعالم", "شركة ١٢٣", "پرداخت ۴۵", "مُحَمَّد", "ދިވެހި",
        // Caucasus and Ethiopia.
        "Երևան", "თბილისი", "ᲗᲑᲘᲚᲘᲡᲘ", "አዲስ አበባ",
        // India and its neighbours.
        "नमस्ते दुनिया", "चीज़ें खरीदें", "রহিম ১২৩", "ਪੰਜਾਬ", "ગુજરાત", "ଓଡ଼ିଶା", "தமிழ்", "తెలుగు",
        "ಕನ್ನಡ", "മലയാളം", "ලංකා", "ཁྲིམས་ཁང", "ငွေလွှဲ", "မျှော်လင့်", "ភាសាខ្មែរ", "ที่นี่ 5 บาท", "ນ້ຳ",
        // East Asia, where words mix scripts.
        "株式会社ヤマダ", "山﨑さん", "Tシャツを買う", "ＡＢＣ１２３", "ｶ)ﾔﾏﾀﾞ", "한국은행", "金氏 한국A社",
        "中文A股", "ㄅㄆㄇ中", "𠮷野家", "「引用」、。", "々〇",
        // New in Unicode 14.0.
        "5 \u{20c0}", "\u{c5d}", "\u{cdd}", "\u{9fff}", "\u{2a6df}", "\u{2b738}",
    ]

    private static let refused: [(String, DisplayText.Rule, Int)] = [
        ("", .empty, 0),
        // Controls, line breaks and other white space.
        ("a\0b", .hidden, 1), ("a\tb", .hidden, 1), ("a\nb", .hidden, 1), ("a\r\nb", .hidden, 1),
        ("a\u{7f}", .hidden, 1), ("\u{85}", .hidden, 0), ("\u{9b}31m", .hidden, 0),
        ("\u{1b}[2J", .hidden, 0), ("a\u{8}b", .hidden, 1),
        ("a\u{2028}b", .hidden, 1), ("a\u{2029}b", .hidden, 1),
        ("a\u{a0}b", .whiteSpace, 1), ("a\u{1680}b", .whiteSpace, 1),
        ("a\u{2000}b", .whiteSpace, 1),
        ("a\u{2003}b", .whiteSpace, 1), ("a\u{2009}b", .whiteSpace, 1),
        ("a\u{202f}b", .whiteSpace, 1),
        ("a\u{205f}b", .whiteSpace, 1), ("a\u{3000}b", .whiteSpace, 1),
        (" ", .spacing, 0), (" a", .spacing, 0), ("a ", .spacing, 1), ("a  b", .spacing, 2),
        ("a b   c", .spacing, 4),
        // Direction and width.
        ("a\u{202a}b", .hidden, 1), ("a\u{202b}b", .hidden, 1), ("a\u{202c}b", .hidden, 1),
        ("a\u{202d}b", .hidden, 1), ("a\u{202e}b", .hidden, 1), ("a\u{2066}b", .hidden, 1),
        ("a\u{2067}b", .hidden, 1), ("a\u{2068}b", .hidden, 1), ("a\u{2069}b", .hidden, 1),
        ("a\u{200e}b", .hidden, 1), ("a\u{200f}b", .hidden, 1), ("a\u{61c}b", .hidden, 1),
        ("a\u{200b}b", .hidden, 1), ("a\u{200c}b", .hidden, 1), ("a\u{200d}b", .hidden, 1),
        ("a\u{2060}b", .hidden, 1), ("a\u{feff}b", .hidden, 1), ("a\u{ad}b", .hidden, 1),
        ("a\u{180e}b", .hidden, 1), ("a\u{34f}b", .hidden, 1), ("a\u{115f}b", .hidden, 1),
        ("a\u{3164}b", .hidden, 1), ("a\u{ffa0}b", .hidden, 1), ("a\u{600}", .hidden, 1),
        ("a\u{e0041}", .hidden, 1), ("a\u{e0001}", .hidden, 1), ("a\u{fff9}b", .hidden, 1),
        // Private, unassigned, no characters at all.
        ("\u{e000}", .hidden, 0), ("\u{f8ff}", .hidden, 0), ("\u{10fffd}", .hidden, 0),
        ("\u{378}", .hidden, 0), ("\u{40000}", .hidden, 0),
        // Assigned in Unicode 15.0, 15.1 and 17.0.
        ("\u{cf3}", .hidden, 0), ("\u{2b739}", .hidden, 0), ("a\u{31350}", .hidden, 1),
        ("\u{323af}", .hidden, 0), ("\u{2ebf0}", .hidden, 0), ("5 \u{20c1}", .hidden, 2),
        ("\u{c5c}", .hidden, 0), ("\u{323b0}", .hidden, 0),
        // Emoji and their variations; blank and look-alike signs.
        ("a😀", .unsupported, 1), ("✅ Verified", .unsupported, 0), ("❤\u{fe0f}", .unsupported, 0),
        ("1\u{fe0f}\u{20e3}", .hidden, 1), ("1\u{20e3}", .unsupported, 1), ("🇩🇪", .unsupported, 0),
        ("👍🏽", .unsupported, 0), ("a\u{fe0e}", .hidden, 1), ("語\u{e0100}", .hidden, 1),
        ("a\u{2800}b", .unsupported, 1), ("47\u{2024}11", .unsupported, 2),
        ("1\u{2e32}000", .unsupported, 1),
        ("a\u{2044}b", .unsupported, 1), ("a\u{2215}b", .unsupported, 1),
        ("\u{fffd}", .unsupported, 0),
        ("𝐏𝐚𝐲", .unsupported, 0), ("𝟏𝟎𝟎", .unsupported, 0), ("Ⅳ", .unsupported, 0),
        ("⒈000", .unsupported, 0), ("①", .unsupported, 0), ("ⓐ", .unsupported, 0),
        ("ǃ", .unsupported, 0), ("ᴘᴀʏ", .unsupported, 0), ("Ꭺ", .unsupported, 0),
        ("ꓐ", .unsupported, 0), ("𐐀", .unsupported, 0), ("ⲁ", .unsupported, 0),
        ("ﬁ", .unsupported, 0), ("ﷺ", .unsupported, 0), ("ᄀ", .unsupported, 0),
        // Marks.
        ("\u{301}a", .marks, 0), ("a \u{301}", .marks, 2), ("-\u{301}", .marks, 1),
        ("1\u{336}", .marks, 1), ("n\u{336}o\u{336}", .marks, 1), ("а\u{488}", .marks, 1),
        ("x\u{323}\u{307}\u{301}", .marks, 3),
        ("x\u{301}\u{301}", .marks, 2), ("กุุ", .marks, 2), ("ก\u{e34}\u{e48}\u{e4c}", .marks, 3),
        ("န\u{103b}\u{103c}\u{103d}\u{103e}\u{1031}\u{102c}", .marks, 6),
        ("a\u{20dd}", .unsupported, 1),
        // Scripts and digits.
        ("pаypal", .mixedScripts, 1), ("Раypal", .mixedScripts, 2), ("a\u{3b1}", .mixedScripts, 1),
        ("αб", .mixedScripts, 1), ("Оplata", .mixedScripts, 1), ("O'Нил", .mixedScripts, 2),
        ("оp’t", .mixedScripts, 1), ("Ann и Воb", .mixedScripts, 8), ("աa", .mixedScripts, 1),
        ("אa", .mixedScripts, 1), ("شa", .mixedScripts, 1), ("कa", .mixedScripts, 1),
        ("日б", .mixedScripts, 1), ("カ한", .mixedScripts, 1), ("ㄅか", .mixedScripts, 1),
        ("aក", .mixedScripts, 1), ("1б2a", .mixedScripts, 3), ("კc", .mixedScripts, 1),
        ("1৪০", .mixedDigits, 1), ("٤5", .mixedDigits, 1), ("12.৪0", .mixedDigits, 3),
        ("１2", .mixedDigits, 1), ("١۴", .mixedDigits, 1), ("4-๗", .mixedDigits, 2),
        // Other spellings of the same text.
        ("e\u{301}", .notNormalized, 0), ("Gru\u{308}ße", .notNormalized, 2),
        ("\u{212b}", .unsupported, 0), ("\u{37e}", .notNormalized, 0),
        ("か\u{3099}", .notNormalized, 0),
        ("\u{958}", .notNormalized, 0), ("x\u{301}\u{323}", .notNormalized, 1),
        ("\u{f900}", .notNormalized, 0), ("\u{1f71}", .notNormalized, 0),
        ("\u{387}", .notNormalized, 0),
        ("\u{340}", .marks, 0), ("a\u{344}", .notNormalized, 0), ("\u{9c7}\u{9be}", .marks, 0),
        ("ক\u{9c7}\u{9be}", .notNormalized, 1),
    ]
}

@Suite struct `Escaped text` {
    @Test(arguments: [
        ("\u{202e}gpj.exe", "\\u{202E}gpj.exe"), ("a\nb\u{1b}[2J", "a\\u{A}b\\u{1B}[2J"),
        ("pаypal", "p\\u{430}ypal"), ("a  b", "a \\u{20}b"), ("1\u{336}00", "1\\u{336}00"),
        ("x\u{323}\u{307}\u{301}\u{302}", "x\u{323}\u{307}\\u{301}\\u{302}"), ("😀", "\\u{1F600}"),
        ("e\u{200b}\u{301}", "e\\u{200B}\\u{301}"), ("", ""), ("plain", "plain"),
    ])
    func `has escapes for characters that are not displayed`(_ text: String, _ shown: String) {
        #expect(visible(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test func `contains no hidden or reordering character`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let scalars = (0..<20).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(in: 0...0x10_ffff, using: &random)
                        >> UInt32.random(in: 0...14, using: &random)
                )
            }
            let shown = visible(String(String.UnicodeScalarView(scalars)))
            #expect(shown.unicodeScalars.allSatisfy(isShown), "\(scalars)")
        }
    }

    private func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
