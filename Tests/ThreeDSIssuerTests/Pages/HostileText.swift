import TestSupport
import Transactions

/// Texts that try to become markup, to hide or to reorder, the same ones in every run.
struct HostileText: Sequence, IteratorProtocol {
    private var generator: SeededGenerator

    init(seed: Int) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> String? {
        let pieces = (0..<Int.random(in: 1...4, using: &generator)).map { _ in piece }
        return pieces.joined(separator: Bool.random(using: &generator) ? "" : " ")
    }

    private var piece: String {
        mutating get {
            guard Int.random(in: 0..<4, using: &generator) > 0,
                let piece = Self.pieces.randomElement(using: &generator)
            else { return String((0..<4).map { _ in scalar }) }
            return piece
        }
    }

    /// Any character, more often one that has a meaning in a page.
    private var scalar: Character {
        mutating get {
            if Bool.random(using: &generator) {
                let markup = "<>&\"'`=/!-;#x0"
                return markup.randomElement(using: &generator) ?? "<"
            }
            let value = UInt32.random(in: 0...0x10FFFF, using: &generator)
            return Character(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
    }

    private static let pieces = [
        "<script>alert(1)</script>", "</bdi></dd></dl>", "<img src=x onerror=alert(1)>",
        "\"><svg/onload=a>",
        "<!--", "-->", "]]>", "<![CDATA[", "<?x", "&lt;", "&#60;", "&#x3c", "&amp", "&nbsp;", "&",
        "'onclick='a()", "javascript:a()", "</script>", "</style>", "<a href=//x>", "${a}", "{{a}}",
        "<meta http-equiv=refresh>", "<base href=//x>", "<form action=//x>", "<plaintext>",
        "<\u{0}script>",
        "\u{202E}txet", "\u{2066}a\u{2069}", "\u{200B}", "\u{FEFF}", "\u{2028}", "\r\n", "\t",
        "\u{85}",
        "שלום", "مرحبا", "Кофе", "咖啡", "กาแฟ", "Zoë", "＜ｂ＞", "‹b›", "👩‍💻",
        "a\u{301}\u{301}\u{301}\u{301}",
    ]
}
