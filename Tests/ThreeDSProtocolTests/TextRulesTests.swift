import Testing

@testable import ThreeDSProtocol

@Suite struct `The rules for texts` {
    @Test func `accept each form of an address for mail`() {
        for text in [
            "a@b", "é@ü.example", "a.b+c@post.example", #""a b"@c"#, #""a@b"@c"#, "A B <a@b>",
            "a@[192.0.2.1]", "a (b@c) @d",
        ] {
            #expect(isMailbox(text), "\(text)")
        }
        for text in ["", "@", "a@", "@b", "a", "ab", "a@b\u{7f}", "a@b\n", "\u{0}a@b"] {
            #expect(!isMailbox(text), "\(text)")
        }
    }

    @Test func `accept addresses of the internet`() {
        for text in [
            "192.0.2.1", "0.0.0.255", "::", "::1", "1::", "2001:db8:85a3:8d3:1319:8a2e:370:7348",
            "::ffff:192.0.2.1", "1:2:3:4:5:6:192.0.2.1", "A::f",
        ] {
            #expect(isIPAddress(text), "\(text)")
        }
        for text in [
            "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.", "1.2.3.0001", "1.2.3.x", ":",
            ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "g::", ":1::",
            "1:2:3:4:5:6:7:192.0.2.1", "::1.2.3", "1::2:",
        ] {
            #expect(!isIPAddress(text), "\(text)")
        }
    }

    @Test func `accept addresses with a scheme and a host`() {
        for text in ["https://a", "HTTPS://a/b?c#d", "https://a:1"] {
            #expect(isURL(text, schemes: ["https"]), "\(text)")
        }
        for text in [
            "", ":", "https", "https:", "https:/", "https://", "https:///a", "https://?a",
            "https://#a", "http://a", "://a", "1s://a", "https:a//b", "https://a b", "https://é",
        ] {
            #expect(!isURL(text, schemes: ["https"]), "\(text)")
        }
        #expect(isAppURL("shop+1.0-a://back"))
    }

    @Test func `count scalar values and not bytes`() {
        #expect("".hasLength(0...0))
        #expect(!"".hasLength(1...4))
        for (text, count) in [("a", 1), ("é", 1), ("e\u{301}", 2), ("日本語", 3), ("😀😀", 2)] {
            #expect(text.hasLength(count...count), "\(text)")
            #expect(!text.hasLength(count + 1...count + 9), "\(text)")
            #expect(!text.hasLength(0...count - 1), "\(text)")
        }
    }
}
