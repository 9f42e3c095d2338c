import Testing

@Suite struct `Imports of a source` {
    @Test(arguments: [
        "import Glibc",
        "\u{FEFF}import Glibc",
        "\timport  Glibc // the C library",
        "import Glibc.stdio",
        "import struct Glibc.stat",
        "import func Glibc.read",
        "import `Glibc`",
        "import\n    Glibc",
        "import/* why */Glibc",
        "/* why */ import Glibc",
        "/* outer /* inner */ */ import Glibc",
        "package import Glibc",
        "@testable import Glibc",
        "@preconcurrency public import Glibc",
        "@_spi(Storage)import class Glibc.FILE",
        "@testable\nimport Glibc",
        "let one = 1; import Glibc",
        "let one = 1\r\nimport Glibc\r\n",
        "// a comment\rimport Glibc",
        "#if os(Windows)\nimport Glibc\n#endif",
        #"let text = "\\"; import Glibc"#,
        #"let text = "/*"; import Glibc"#,
        #"let text = "\(name("/*"))"; import Glibc"#,
        ##"let text = #"\"#; import Glibc"##,
        ##"let text = #"""#; import Glibc; let more = """##,
        "let text = \"\"\"\n  print \"hello\"\n  \"\"\"\nimport Glibc",
        "let quote = /\"/\nimport Glibc",
    ])
    func `are found`(_ text: String) throws {
        #expect(try SwiftSource(text).imports == ["Glibc"])
    }

    @Test func `are found on one line`() throws {
        let source = try SwiftSource("import Glibc;import FoundationEssentials; import COpenSSL")
        #expect(source.imports == ["Glibc", "FoundationEssentials", "COpenSSL"])
    }

    @Test(arguments: [
        "",
        "// import Glibc",
        "/// import Glibc",
        "let one = 1 // import Glibc",
        "/* import Glibc */",
        "/*\nimport Glibc\n*/",
        "/* outer /* inner */ import Glibc */",
        #"let text = "import Glibc""#,
        #"let text = "\"; import Glibc""#,
        #"let text = "\(name("one")); import Glibc""#,
        ##"let text = #"" import Glibc"#"##,
        "let text = \"\"\"\n  import Glibc\n  \"\"\"",
        "let text = \"\"\"  \n  \"quoted\"\n  import Glibc\n  \"\"\"",
        "let imports = important(Glibc)",
        "let reimport = Glibc",
        "case `import`",
        "self.import (Glibc)",
        "run(.import)",
    ])
    func `are not found in other text`(_ text: String) throws {
        #expect(try SwiftSource(text).imports == [])
    }

    @Test(arguments: [
        ("/* import Glibc", "/*"),
        ("/* /* */ import Glibc", "/*"),
        ("let text = \"\"\"\nimport Glibc", "\"\"\""),
        (#"let text = "\(import Glibc"#, #"\("#),
    ])
    func `are refused if a comment or a string is not closed`(_ text: String, _ opening: String) {
        #expect(throws: SwiftSource.Unclosed(opening: opening)) { try SwiftSource(text) }
    }
}
