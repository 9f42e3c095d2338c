import Testing

@testable import VerifierServer

@Suite struct `A push service of the configuration` {
    @Test(
        arguments: WebPush.defaultServices + [
            "localhost", "push.example:8443", "*.push.example:8443", "127.0.0.1:9555",
        ]
    )
    func `is a host, or all hosts below a name`(_ pattern: String) throws {
        #expect(PushService(pattern) != nil)
    }

    @Test(arguments: [
        "", "*", "*.", "*.example", "*.localhost:8443", "*.*.push.example", "push.*.example",
        "*push.example", "Push.example",
        "https://push.example", "https://push.example/", "push.example/", "push.example:",
        "push.example:443", "push.example:x", ".push.example", "push.example.", "push..example",
        "-.push.example", "a b", "push.example\n", "[::1]",
    ])
    func `is not another text`(_ pattern: String) {
        #expect(PushService(pattern) == nil)
    }

    @Test func `takes the hosts of its port only`() throws {
        let service = try #require(PushService("*.push.example:8443"))
        #expect(service.takes("a.push.example:8443"))
        for host in ["a.push.example", "push.example:8443", "apush.example:8443"] {
            #expect(!service.takes(host), "\(host)")
        }
    }
}
