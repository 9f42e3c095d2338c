import Localization
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite struct `A shop as the person sees it` {
    private func shop(
        _ elements: KeyValuePairs<String, String>,
        in language: Language = .english
    ) -> Shop? {
        var members = elements.map { JSONValue.Member(name: $0.key, value: .string($0.value)) }
        let standard = [
            ("merchantName", "Coffee"), ("acquirerMerchantID", "0004445001"),
            ("acquirerBIN", "271829"), ("merchantCountryCode", "276"),
        ]
        for (name, text) in standard where members.value(of: name) == nil {
            members.append(.init(name: name, value: .string(text)))
        }
        return Shop(Message(.areq, .twoTwo, members), in: language)
    }

    private func name(_ text: String) -> String? { shop(["merchantName": text])?.name.text }

    @Test(
        arguments: [
            ("CoffeeHouse2 (Dæmø)", "CoffeeHouse2 (Dæmø)"),
            // One form, and single spaces.
            ("Cafe\u{301}", "Café"), ("\u{212B}ngstro\u{308}m", "Ångström"),
            ("  Coffee   House ", "Coffee House"), ("Coffee         BERLIN ", "Coffee BERLIN"),
            // Hidden, bidirectional and mixed characters are spelled out.
            ("Shop\u{200B}One", #"Shop\u{200B}One"#), ("\u{202E}pohS", #"\u{202E}pohS"#),
            ("Shop\u{0}", #"Shop\u{0}"#), ("a\tb\nc", #"a\u{9}b\u{A}c"#),
            ("\u{410}mazon", #"А\u{6D}azon"#), ("Shop\u{A0}A", #"Shop\u{A0}A"#),
            ("Pay\u{2028}Pal", #"Pay\u{2028}Pal"#), ("🛒 Shop", #"\u{1F6D2} Shop"#),
            (" \u{301}Shop", #"\u{301}Shop"#), ("<b>\"&'", "<b>\"&'"),
        ]
    )
    func `has its name in one form, with nothing hidden`(text: String, shown: String) {
        #expect(name(text).map { Array($0.utf8) } == Array(shown.utf8))
    }

    @Test(arguments: ["", " ", "     "])
    func `is not shown without a name`(_ text: String) {
        #expect(name(text) == nil)
    }

    @Test func `is not shown if its name is too long without hidden characters`() {
        let longest = String(repeating: "W", count: 40)
        #expect(name(longest) == longest)
        #expect(name(String(repeating: "\u{202E}", count: 8))?.utf8.count == 64)
        #expect(name(String(repeating: "\u{202E}", count: 9)) == nil)
        #expect(shop(["acquirerMerchantID": String(repeating: "9", count: 35)]) != nil)
        #expect(shop(["acquirerMerchantID": String(repeating: "\u{202E}", count: 35)]) == nil)
    }

    @Test func `is described in the language of the issuer`() {
        #expect(
            shop([:])?.merchant?.text == "shop 0004445001 of acquirer 271829, Germany"
        )
        #expect(
            shop([:], in: .german)?.merchant?.text
                == "Händler 0004445001 der Händlerbank 271829, Deutschland"
        )
    }

    @Test func `does not look like another one that has the spelling of a character`() {
        #expect(name("Shop\u{200B}One") == #"Shop\u{200B}One"#)
        #expect(name(#"Shop\u{200B}One"#) == #"Shop\u{5C}u{200B}One"#)
        // The backslash and the mark are one character of Swift.
        #expect(name("Shop\\\u{301}")?.hasPrefix(#"Shop\u{5C}"#) == true)
    }

    /// Python's `unicodedata` as the second opinion about the normal form.
    @Test func `has a name of which nothing is cut or dropped`() throws {
        var random = SeededGenerator(seed: 27)
        // In Unicode for a long time, so that all versions agree.
        let characters: [ClosedRange<UInt32>] = [
            0x20...0x7e, 0x20...0x20, 0xa0...0x17f, 0x300...0x340, 0x391...0x3a1, 0x410...0x44f,
            0x5d0...0x5ea, 0x627...0x63a, 0x200b...0x200f, 0x202a...0x202e, 0xac00...0xd7a3,
            0x1100...0x1112, 0x1161...0x1175, 0x212a...0x212b, 0x1f600...0x1f610, 0...0x1f,
        ]
        let texts = (0..<1000).map { _ in
            let count = Int.random(in: 1...12, using: &random)
            return (0..<count).compactMap { _ -> String? in
                guard let range = characters.randomElement(using: &random) else { return nil }
                let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random))
                return scalar.map { String($0) }
            }.joined()
        }
        let program = """
            import sys, unicodedata
            for line in sys.stdin:
                text = "".join(chr(int(code, 16)) for code in line.split())
                text = unicodedata.normalize("NFC", text)
                words = [word for word in text.split(" ") if word]
                print(" ".join(f"{ord(c):x}" for c in " ".join(words)))
            """
        let input =
            texts.map { text in
                text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
            }.joined(separator: "\n") + "\n"
        let python = try FinishedProcess.run("python3", ["-c", program], input: Array(input.utf8))
        let expected = python.output.split(separator: "\n", omittingEmptySubsequences: false)
        var shownCount = 0
        for (text, expected) in zip(texts, expected) {
            guard let name = name(text) else { continue }
            shownCount += 1
            #expect(Self.codes(of: name) == expected)
        }
        #expect(shownCount > texts.count / 2)
    }

    /// The characters of a name, with each `\u{…}` as the character that it spells out.
    private static func codes(of name: String) -> String {
        name.replacing(/\\u\{([0-9A-F]+)\}/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
    }

    /// Shops that imitate the text of the first one.
    @Test func `never has the text of another shop`() throws {
        let shops: [KeyValuePairs<String, String>] = [
            [:], ["acquirerMerchantID": "0004445002"], ["acquirerBIN": "271828"],
            ["merchantCountryCode": "250"], ["acquirerMerchantID": " 0004445001"],
            ["acquirerMerchantID": "0004445001 "], ["acquirerMerchantID": "0004445001  "],
            ["acquirerMerchantID": "0004445001\u{200B}"],
            ["acquirerMerchantID": "0004445001 of acquirer 271829", "acquirerBIN": "2"],
            ["acquirerMerchantID": "0004445001 of acquirer", "acquirerBIN": "271829"],
            ["acquirerBIN": " 271829"], ["acquirerBIN": "271829,"], ["acquirerBIN": "271829 "],
            ["acquirerBIN": "2, France", "merchantCountryCode": "276"],
            ["acquirerBIN": "2", "merchantCountryCode": "250"],
        ]
        for language in Language.allCases {
            let texts = shops.compactMap { shop($0, in: language)?.merchant?.text }
            #expect(texts.count == shops.count)
            #expect(Set(texts.map { Array($0.utf8) }).count == shops.count)
        }
    }

    @Test func `of a confirmation has at least the name of the requestor`() throws {
        let plain = try SampleRequest(.twoTwo, .app, .nonPayment).message()
        let shop = try #require(Shop(plain, in: .english))
        #expect(shop.name.text == "Coffee online")
        #expect(shop.merchant == nil)
        let named = SampleRequest(.twoTwo, .app, .nonPayment, ["merchantName": #""Coffee""#])
        #expect(try Shop(named.message(), in: .english)?.name.text == "Coffee")
    }
}
