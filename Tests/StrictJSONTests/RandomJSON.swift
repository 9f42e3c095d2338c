import TestSupport

/// Documents from a seed: one half valid, one half with a few damaged bytes.
enum RandomJSON {
    static func document(using random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(value(depth: 0, using: &random).utf8)
        guard Bool.random(using: &random) else { return bytes }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            damage(&bytes, using: &random)
        }
        return bytes
    }

    private static func value(depth: Int, using random: inout SeededGenerator) -> String {
        switch Int.random(in: depth < 4 ? 0...7 : 2...7, using: &random) {
        case 0: return "{" + list(depth, named: true, &random) + "}"
        case 1: return "[" + list(depth, named: false, &random) + "]"
        case 2, 3: return string(using: &random)
        case 4, 5: return number(using: &random)
        default: return pick(["true", "false", "null"], &random)
        }
    }

    private static func list(_ depth: Int, named: Bool, _ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let name = named ? string(using: &random) + space(&random) + ":" : ""
            return space(&random) + name + space(&random)
                + value(depth: depth + 1, using: &random) + space(&random)
        }.joined(separator: ",")
    }

    private static func string(using random: inout SeededGenerator) -> String {
        let pieces = [
            "a", "b", "/", " ", "'", "\u{7f}", "é", "e\u{301}", "€", "😀", "\u{2028}", "\u{feff}",
            "\u{ffff}", "\u{10ffff}", #"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#,
            #"\t"#,
            #"\u0001"#, #"\u001F"#, #"\u0041"#, #"\u00e9"#, #"\u20AC"#, #"\uD83D\ude00"#,
            #"\ud83d"#,
            #"\u0000"#,
        ]
        // Half of them are plain, so that names repeat, and few documents contain the last two,
        // which are rejected.
        let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            pick(Bool.random(using: &random) ? Array(pieces.prefix(4)) : pieces, &random)
        }
        return "\"" + text.joined() + "\""
    }

    private static func number(using random: inout SeededGenerator) -> String {
        pick(["", "", "-"], &random) + pick(["0", "7", "10", "9007199254740993", "00"], &random)
            + pick(["", "", ".0", ".10", "."], &random)
            + pick(["", "", "e5", "E+05", "e-999", "e"], &random)
    }

    private static func space(_ random: inout SeededGenerator) -> String {
        pick(["", "", "", " ", "\n", "\t\r\n"], &random)
    }

    private static func damage(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        let index = Int.random(in: 0...bytes.count, using: &random)
        let byte = pick(Array("{}[]:,\"\\ 0123456789.eE+-ntfu\0\u{80}é".utf8), &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes.insert(byte, at: index)
        case 1 where index < bytes.count: bytes[index] = byte
        default: if index < bytes.count { bytes.remove(at: index) }
        }
    }

    private static func pick<Choice>(_ choices: [Choice], _ random: inout SeededGenerator) -> Choice
    {
        choices[Int.random(in: choices.indices, using: &random)]
    }
}
