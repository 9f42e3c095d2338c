import TestSupport
import Testing

@testable import ThreeDSProtocol

@Suite struct `An address` {
    static let accepted = [
        "https://a", "HTTPS://A", "https://shop.example/", "https://shop.example:1/",
        "https://shop.example:443?a", "https://shop.example:65535#a", "https://192.0.2.1/",
        "https://a?", "https://a#", "https://a/?#/?", "https://a?a=b&c=%C3%A9;d,e:f@g!$'()*+~_-.",
        "https://a//b/../c;v=1/:@", "https://[2001:db8::1]", "https://[::1]:8443/a?b#c",
        "https://[::ffff:192.0.2.1]/", "https://xn--bcher-kva.example/",
        "https://my_shop.platform.example/", "https://_",
    ]

    static let refused = [
        "", "https", "https:", "https:/a", "https://", "https:///a", "https://?a", "https://#a",
        "//a", "://a", "1s://a", "h ttps://a", " https://a", "https://a ", "https://é.example",
        "https://a\u{0}", "https://a\nb", "https://a\u{7f}",
        // User information, or an empty host.
        "https://@", "https://@a", "https://:443", "https://user@host/", "https://user:pw@host/",
        "https://a:443@evil.example/", #"https://a\@evil.example/"#, #"https://a\b"#,
        // Characters that leave an attribute of HTML, and others outside RFC 3986.
        #"https://a"onload="x"#, "https://a<script>", "https://a/<", "https://a/>", #"https://a/""#,
        "https://a/`", "https://a/{b}", "https://a/^", "https://a/|", #"https://a/\"#,
        "https://a/[", "https://a?b[]=1", "https://a#b#c",
        // Escapes.
        "https://%", "https://a%2Fb", "https://a/%", "https://a/%2", "https://a/%zz",
        "https://a/%-1",
        // Other characters in a host.
        "https://a,b", "https://a*b", "https://a!b", "https://a;b", "https://a=b",
        // Ports.
        "https://a:", "https://a:/", "https://a:0", "https://a:65536", "https://a:99999",
        "https://a:123456", "https://a:+1", "https://a:-1", "https://a:1a", "https://a:80:80",
        // IP literals.
        "https://[", "https://]", "https://[]", "https://[a]", "https://[::1", "https://::1]",
        "https://[::1]a", "https://[::1]:", "https://[::1]]", "https://[[::1]]", "https://a[::1]",
        "https://[192.0.2.1]", "https://[1:2]", "https://[v1.a]", "https://[fe80::1%25a]",
        "https://[::1]@a",
    ]

    @Test(arguments: accepted) func `with a host is accepted`(_ text: String) {
        #expect(isURL(text, schemes: ["http", "https"]))
        #expect(isStatedURL(text) && isAppURL(text))
    }

    @Test(arguments: refused) func `of another form is refused`(_ text: String) {
        #expect(!isURL(text, schemes: ["http", "https"]))
    }

    @Test func `has one of the schemes`() {
        for text in ["shop://back", "a+b-c.1://a/b", "javascript://a/%0Aalert(1)"] {
            #expect(isURL(text, schemes: ["shop", "a+b-c.1", "javascript"]))
            #expect(!isURL(text, schemes: ["http", "https"]))
        }
        #expect(!isURL("http://a", schemes: ["https"]))
    }

    /// Nothing that is accepted could leave a quoted attribute or the host.
    @Test func `has no other characters than those of addresses`() {
        var random = SeededGenerator(seed: 3986)
        let pieces = [
            "a", ".", "-", ":", "443", "@", "[", "]", "::1", "/", "?", "#", "%", "2F", "\\", "\"",
            "<", "&", "_", "\u{2028}", "é",
        ]
        var count = 0
        for _ in 0..<100_000 {
            let text =
                "https://"
                + (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }.joined()
            guard isURL(text, schemes: ["https"]) else { continue }
            count += 1
            #expect(text.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "\(text)")
            #expect(!text.contains { #"\"<>^`{|}"#.contains($0) }, "\(text)")
            let authority = text.dropFirst(8).prefix { !"/?#".contains($0) }
            #expect(!authority.contains("@") && !authority.contains("%"), "\(text)")
        }
        #expect(count > 1000)
    }
}

@Suite struct `An address of an app` {
    static let accepted = [
        "stripesdk://payment_return_url/com.shop", "myshop:///done?x=1", "com.shop.app:/return",
        "com.shop.app:return", "a:", "SHOP+1.2-3://", "shop://back?a[]=1&b={c}|^`#d#e",
        #"https://a"onload="x"#, "javascript:alert(1)",
    ]

    static let refused = [
        "", ":", ":a", "shop", "//a", "1shop://a", "-a:b", "sh_op://a", "sh op://a", "shop://a b",
        " shop://a", "shop://a ", "shop://ä", "shöp://a", "shop://a\u{7f}", "shop://a\n",
        "shop\0:a",
    ]

    @Test(arguments: accepted) func `has a scheme and visible characters`(_ text: String) {
        #expect(isAppURL(text))
    }

    @Test(arguments: refused) func `has no other form`(_ text: String) {
        #expect(!isAppURL(text))
    }
}

@Suite struct `An address that is not opened` {
    static let accepted = [
        "https://my_shop.platform.example/", "https://shop.example/?a[]=1&b={c}|d",
        "HTTP://a%2Fb", "https://a:0/%", "https://é.example", "https://shop.example/café@paris",
        "https://店.example/\u{1f34e}", "https://:443",
        "https://user@shop.example/",
    ]

    static let refused = [
        "", "https", "https:", "https:/a", "https://", "https:///a", "https://?a", "https://#a",
        "//a", "://a", "ftp://a", "shop://back", "javascript:alert(1)", " https://a", "https://a ",
        "https://a\n", "https://a\u{0}", "https://a\u{7f}", "https://a\u{85}", "https://a/\u{a0}",
        "https://a\u{202e}b", "https://a\u{2028}", "https://a/\u{e000}",
    ]

    @Test(arguments: accepted) func `has a host and visible characters`(_ text: String) {
        #expect(isStatedURL(text))
    }

    @Test(arguments: refused) func `has no other form`(_ text: String) {
        #expect(!isStatedURL(text))
    }
}
