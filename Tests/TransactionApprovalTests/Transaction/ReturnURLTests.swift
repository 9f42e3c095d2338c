import Testing
import TransactionApproval

@Suite struct `Return URLs` {
    @Test(arguments: [
        ("https://bank.example", "https", "bank.example"),
        ("https://bank.example/", "https", "bank.example"),
        ("https://www.bank.example/a/b-c_d.e~f?x=1&y=%C3%A4@:/?", "https", "www.bank.example"),
        ("https://bank.example?done", "https", "bank.example"),
        ("https://localhost/", "https", "localhost"),
        ("https://xn--bnk-qla.example/", "https", "xn--bnk-qla.example"),
        ("example.bank.app://approve/done", "example.bank.app", "approve"),
        ("example.bank-app.v2://a", "example.bank-app.v2", "a"),
        ("https://a/" + String(repeating: "b", count: 490), "https", "a"),
    ])
    func `have a scheme and a host`(_ text: String, _ scheme: String, _ host: String) throws {
        let url = try #require(ReturnURL(text))
        #expect(url.scheme == scheme && url.host == host && url.text == text)
    }

    @Test(arguments: [
        "", "https", "https:", "https:/", "https://", "https:///path", "https://?", "https:bank",
        "http://bank.example/", "HTTPS://bank.example/", "https://Bank.example/",
        "ftp://bank.example/", "javascript://bank.example/%0aalert(1)", "javascript:alert(1)",
        "data:text/html,x", "file:///etc/passwd", "tel://1", "intent://a", "bank://a",
        "//bank.example",
        "bank.example/", "https//bank.example", "://bank.example", ".app://a", "app.://a",
        "1app.bank://a", "a..b://a", "-a.b://a", "a.b+c://a", "A.b://a",
        "https://user@bank.example/", "https://user:pw@bank.example/", "https://bank.example@evil/",
        "https://bank.example:443/", "https://bank.example:/", "https://[::1]/",
        "https://bank.example/#top", "https://bank.example#", "https://bank.example\\@evil/",
        "https://bank.example/a b", "https://bank.example/\n", " https://bank.example/",
        "https://bank.example/ ", "https://bänk.example/", "https://bank.example/ä",
        "https://bank.example/%", "https://bank.example/%4", "https://bank.example/%zz",
        "https://bank.example/%-1", "https://bank.example/\"", "https://bank.example/<a>",
        "https://bank.example/{a}", "https://bank.example/a|b", "https://bank.example/`",
        "https://bank.example/^", "https://bank.example/[", "https://bank..example/",
        "https://.bank.example/", "https://bank.example./", "https://-bank.example/",
        "https://bank-.example/", "https://ba_nk.example/", "https://ba%6ek.example/",
        "https://bank.example\u{301}/", "https://bank.example/\u{301}", "https://bank.example/\0",
        "https://a/" + String(repeating: "b", count: 491),
        "https://" + String(repeating: "a", count: 64) + ".example/",
        "https://" + String(repeating: "a.", count: 127) + "a/",
    ])
    func `in any other form are refused`(_ text: String) {
        #expect(ReturnURL(text) == nil)
    }
}
