import Testing

@testable import ConfigurationFiles

@Suite struct `Comments in a configuration` {
    private func blanked(_ text: String) -> String {
        String(decoding: CommentedJSON(Array(text.utf8)).blanked, as: UTF8.self)
    }

    @Test(arguments: [
        ("{} // a\n", "{}     \n"),
        ("// ä\n{}", "     \n{}"),
        ("/* a\n b */{}", "    \n     {}"),
        ("{/**/}", "{    }"),
        ("[1,]", "[1 ]"),
        (#"{"a": 1, /* b */ }"#, #"{"a": 1          }"#),
        ("[[],\n // ]\n]", "[[] \n     \n]"),
        ("[true , ]", "[true   ]"),
        (#"["a" , ]"#, #"["a"   ]"#),
    ])
    func `comments and trailing commas become spaces`(text: String, expected: String) {
        #expect(blanked(text) == expected)
    }

    @Test(arguments: [
        #"{"a": "// b", "c": "/* d */"}"#, #"["\" // \\"]"#, #"["\\", "//"]"#, #"["a,]"]"#, "[,]",
        "{,}", "[1,,]", "[1,,2]", #"{"a":,}"#, "/* a", "/*/", "/", #"["a"#, #"["\"#, ",", ",]", "",
        "[1, 2]", "# a", "{a: 1}", "['a']",
    ])
    func `everything else stays unchanged`(_ text: String) {
        #expect(blanked(text) == text)
    }
}
