import Cryptography
import Testing
import TransactionApproval

@Suite struct `Subscriptions of browsers` {
    private func subscription(at endpoint: String) throws -> WebPushSubscription? {
        WebPushSubscription(
            endpoint: endpoint,
            key: try P256.PrivateKey().publicKey,
            secret: try randomBytes(count: WebPushSubscription.secretByteCount)
        )
    }

    @Test(arguments: [
        ("https://push.example/", "push.example"),
        ("https://a.push.example/wpush/v2/gAAAAAB_x-y?z=%20", "a.push.example"),
        ("https://push.example:8443/1", "push.example:8443"),
    ])
    func `have the host that is called`(_ endpoint: String, _ host: String) throws {
        let found = try #require(try subscription(at: endpoint))
        #expect(found.host == host && found.origin.text == "https://" + host)
    }

    /// Two parsers of URLs could read different hosts.
    @Test(arguments: [
        "http://push.example/", "https://push.example", "https:///1", "https://Push.example/",
        "https://localhost:80.push.example/", "https://push.example:/", "https://push.example:0/",
        "https://push.example:65536/", "https://push.example:443/", "https://push.example:08443/",
        "https://.push.example/", "https://a..push.example/", "https://-.push.example/",
        "https://user@push.example/", "https://push.example\\@attacker.example/",
        "https://attacker.example?.push.example/", "https://attacker.example#.push.example/",
        "https://push.example/#", "https://push.example/ ", "https://push.example/\n",
        "https://[::1]/", "https://[::1].push.example/", "https://pu\u{AD}sh.example/",
    ])
    func `are refused with another spelling of a host or URL`(_ endpoint: String) throws {
        #expect(try subscription(at: endpoint) == nil)
    }

    @Test func `are refused above the limit of bytes`() throws {
        let start = "https://push.example/"
        let most = WebPushSubscription.maximumEndpointByteCount - start.utf8.count
        #expect(try subscription(at: start + String(repeating: "x", count: most)) != nil)
        #expect(try subscription(at: start + String(repeating: "x", count: most + 1)) == nil)
    }

    @Test func `are not printed`() throws {
        let setting = PushSetting.web(try #require(try subscription(at: "https://push.example/1")))
        var shown = "\(setting)"
        dump(setting, to: &shown)
        #expect(!shown.contains("push.example"))
    }
}
