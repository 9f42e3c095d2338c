import TestSupport
import Testing

@testable import Transactions

/// Python has its own Unicode tables, which must agree.
@Suite struct `Display rules agree with Python's unicodedata` {
    @Test func `on every character that is shown alone`() throws {
        let shown = (0...0x10_ffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
            .filter { Script(of: $0) != nil && (try? DisplayText(String($0))) != nil }
        let results = try Self.run(
            """
            for word in sys.stdin.read().split():
                c = chr(int(word, 16))
                normal = unicodedata.normalize("NFC", c) == c
                print(unicodedata.category(c), normal, unicodedata.name(c, "NONE").split()[0])
            """,
            about: shown.map { String($0.value, radix: 16) }
        )
        try #require(results.count == shown.count)
        let disagreements = zip(shown, results).filter { !Self.agrees(on: $0, $1) }
        #expect(disagreements.map { "\($0.escaped(asASCII: true)): \($1)" } == [])
        #expect(shown.count > 100_000)
    }

    /// Whether category, form and name belong to a displayed character.
    private static func agrees(on scalar: Unicode.Scalar, _ result: String) -> Bool {
        let words = result.split(separator: " ")
        guard !["C", "M", "Z"].contains(words[0].prefix(1)), words[1] == "True" else {
            return false
        }
        guard words[0].hasPrefix("L"), let names = Script(of: scalar).flatMap({ names[$0] })
        else { return true }
        return names.contains(String(words[2]))
    }

    /// The pinned version is the lowest that Python has on a supported system.
    @Test func `on the characters that are assigned`() throws {
        let pinned = DisplayText.unicodeVersion
        let inRange = (0...0x10_ffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
            // Noncharacters have an age, but are never assigned.
            .filter { Script(of: $0) != nil && $0.value & 0xFFFE != 0xFFFE }
        let results = try Self.run(
            """
            print(unicodedata.unidata_version)
            for word in sys.stdin.read().split():
                print(unicodedata.category(chr(int(word, 16))))
            """,
            about: inRange.map { String($0.value, radix: 16) }
        )
        try #require(results.count == inRange.count + 1)
        let isSameVersion = results[0].hasPrefix("\(pinned.major).\(pinned.minor).")
        let disagreements = zip(inRange, results.dropFirst()).filter { scalar, category in
            let isAssigned = scalar.properties.age.map { ($0.major, $0.minor) <= pinned } ?? false
            return isAssigned ? category == "Cn" : isSameVersion && category != "Cn"
        }
        #expect(disagreements.map { $0.0.escaped(asASCII: true) } == [])
    }

    @Test func `on which texts are normalized`() throws {
        var random = SeededGenerator(seed: 12)
        let texts = (0..<5_000).map { _ in Self.text(using: &random) }
        let results = try Self.run(
            """
            for line in sys.stdin:
                text = "".join(chr(int(word, 16)) for word in line.split())
                print(unicodedata.normalize("NFC", text) == text)
            """,
            about: texts.map { text in
                text.map { String($0.value, radix: 16) }.joined(separator: " ")
            }
        )
        try #require(results.count == texts.count)
        var counts: [Bool: Int] = [:]
        for (text, result) in zip(texts, results) {
            let isNormalized = Self.isNormalized(String(String.UnicodeScalarView(text)))
            guard let isNormalized else { continue }
            #expect(isNormalized == (result == "True"), "\(text)")
            counts[isNormalized, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { $0 > 500 } && counts.count == 2, "\(counts)")
    }

    /// Nil if another rule refuses the text first.
    private static func isNormalized(_ text: String) -> Bool? {
        do throws(DisplayText.Refusal) {
            _ = try DisplayText(text)
            return true
        } catch {
            return error.rule == .notNormalized ? false : nil
        }
    }

    /// A letter with up to two marks, some of which compose with it.
    private static func text(using random: inout SeededGenerator) -> [Unicode.Scalar] {
        let (letters, marks) = alphabets[Int.random(in: 0..<alphabets.count, using: &random)]
        let letter = Array(letters.unicodeScalars).randomElement(using: &random)
        let count = Int.random(in: 0...2, using: &random)
        return [letter].compactMap(\.self)
            + (0..<count).compactMap { _ in
                Array(marks.unicodeScalars).randomElement(using: &random)
            }
    }

    private static let alphabets = [
        (
            "aAeEioOuyxczäöüêôơưẹọḍ",
            "\u{300}\u{301}\u{302}\u{303}\u{308}\u{30c}\u{31b}\u{323}\u{327}"
        ),
        ("αεηιουωΑΙάἀ", "\u{300}\u{301}\u{308}\u{313}\u{314}\u{342}\u{345}"),
        ("иаоеуыэИ", "\u{300}\u{306}\u{308}"), ("اويهۆ", "\u{653}\u{654}\u{655}\u{64b}\u{651}"),
        ("नरळकड", "\u{93c}\u{93e}\u{902}"), ("কডঢয", "\u{9c7}\u{9be}\u{9d7}\u{9bc}"),
        ("கஒ", "\u{bc6}\u{bc7}\u{bbe}\u{bd7}"), ("ಕ", "\u{cbf}\u{cc6}\u{cc2}\u{cd5}\u{cd6}"),
        ("കറ", "\u{d46}\u{d47}\u{d3e}\u{d57}"), ("ක", "\u{dd9}\u{dca}\u{dcf}\u{ddf}"),
        ("ဥဣက", "\u{102e}\u{102f}\u{1037}"), ("かはうカハウワ", "\u{3099}\u{309a}"),
        ("שוכ", "\u{5bc}\u{5b7}\u{5c1}"),
    ]

    /// The prefixes of the letter names of a script in Python.
    private static let names: [Script: Set<String>] = [
        .latin: ["LATIN", "FULLWIDTH"], .greek: ["GREEK", "COPTIC"], .cyrillic: ["CYRILLIC"],
        .armenian: ["ARMENIAN"], .hebrew: ["HEBREW"], .arabic: ["ARABIC"], .thaana: ["THAANA"],
        .ethiopic: ["ETHIOPIC"], .georgian: ["GEORGIAN", "MODIFIER"], .devanagari: ["DEVANAGARI"],
        .bengali: ["BENGALI"], .gurmukhi: ["GURMUKHI"], .gujarati: ["GUJARATI"],
        .oriya: ["ORIYA"], .tamil: ["TAMIL"], .telugu: ["TELUGU"], .kannada: ["KANNADA"],
        .malayalam: ["MALAYALAM"], .sinhala: ["SINHALA"], .thai: ["THAI"], .lao: ["LAO"],
        .tibetan: ["TIBETAN"], .myanmar: ["MYANMAR"], .khmer: ["KHMER"], .hangul: ["HANGUL"],
        .kana: ["HIRAGANA", "KATAKANA", "HALFWIDTH", "KATAKANA-HIRAGANA"],
        .bopomofo: ["BOPOMOFO"], .han: ["CJK", "IDEOGRAPHIC"],
    ]

    /// The output of one Python process, one line for each input line.
    private static func run(_ program: String, about lines: [String]) throws -> [String] {
        let process = try FinishedProcess.run(
            "python3",
            ["-c", "import sys, unicodedata\n" + program],
            input: Array(lines.joined(separator: "\n").utf8)
        )
        try #require(process.exitCode == 0, "\(process.errorOutput)")
        return process.output.split(separator: "\n").map(String.init)
    }
}

@Suite struct `Kinds of characters` {
    private static let characters = (0...0x10_ffff as ClosedRange<UInt32>)
        .compactMap(Unicode.Scalar.init)

    @Test func `agree with the standard library on every character`() {
        let wrong = Self.characters.filter { CharacterRun(of: $0).kind != Self.kind(of: $0) }
        #expect(wrong.map { $0.escaped(asASCII: true) } == [])
    }

    @Test func `give each digit the zero of its script`() {
        let digits = Self.characters.filter { CharacterRun(of: $0).kind == .digit }
        let wrong = digits.filter {
            $0.properties.numericValue != Double($0.value - CharacterRun(of: $0).first)
        }
        #expect(wrong.map { $0.escaped(asASCII: true) } == [])
        #expect(digits.count > 100)
    }

    private static func kind(of scalar: Unicode.Scalar) -> CharacterKind {
        let properties = scalar.properties
        let age = properties.age.map { ($0.major, $0.minor) } ?? (.max, 0)
        guard age <= DisplayText.unicodeVersion, !properties.isDefaultIgnorableCodePoint else {
            return .hidden
        }
        let kind = kind(of: properties)
        // No rule needs the kind of a character that is in no script.
        return kind == .hidden || kind == .whiteSpace || Script(of: scalar) != nil ? kind : .other
    }

    private static func kind(of properties: Unicode.Scalar.Properties) -> CharacterKind {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            .hidden
        case .spaceSeparator: .whiteSpace
        case .enclosingMark: .refusedMark
        case .nonspacingMark, .spacingMark:
            properties.canonicalCombiningClass == .overlay ? .refusedMark : .mark
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            .letter
        case .decimalNumber: .digit
        case .letterNumber, .otherNumber: .number
        default: .other
        }
    }
}
