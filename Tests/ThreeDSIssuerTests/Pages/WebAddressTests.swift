import Testing
import ThreeDSIssuer

@Suite struct `An address outside of the ACS` {
    @Test(arguments: [
        "https://shop.example", "https://shop.example/done?a=1&b='2'#c",
        "HTTPS://SHOP.example:8443/",
        "https://[2001:db8::1]/", "https://shop.example/\"<>",
    ])
    func `uses TLS`(_ text: String) {
        #expect(WebAddress(text, isSandbox: false) != nil)
    }

    @Test(arguments: [
        "", "shop.example", "//shop.example", "/done", "javascript:alert(1)",
        "javascript://a/%0aalert(1)",
        "data:text/html,a", "ftp://shop.example", "https:shop.example", "https:///done", "https://",
        "https://user@shop.example/", "https://shop.example\\@other.example/", "https://a b/",
        " https://shop.example", "https://shop.example/\n", "https://shöp.example/",
        "https://shop.example/" + String(repeating: "a", count: 236),
    ])
    func `is refused otherwise`(_ text: String) {
        #expect(WebAddress(text, isSandbox: false) == nil)
        #expect(WebAddress(text, isSandbox: true) == nil)
    }

    @Test(arguments: ["http://localhost", "http://localhost:8080/done", "http://127.0.0.1:1/?a"])
    func `of this machine needs no TLS in a sandbox`(_ text: String) {
        #expect(WebAddress(text, isSandbox: true) != nil)
        #expect(WebAddress(text, isSandbox: false) == nil)
    }

    @Test(arguments: [
        "http://shop.example/", "http://localhost.example/", "http://127.0.0.1.example/",
        "http://localhost:80@shop.example/", "http://127.0.0.2/",
    ])
    func `SEC-100: of another machine needs TLS in a sandbox, too`(_ text: String) {
        #expect(WebAddress(text, isSandbox: true) == nil)
    }
}
