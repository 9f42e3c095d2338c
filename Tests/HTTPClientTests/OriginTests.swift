import HTTPClient
import Testing

@Suite struct `The origin of a URL` {
    private func isSame(_ first: String, _ second: String) throws -> Bool {
        let client = try HTTPClient.forTests { $0.allowsPlainLoopback = true }
        return client.isSameOrigin(first, second)
    }

    @Test(arguments: [
        "https://ds.example/", "https://ds.example", "https://DS.Example:443/a?b=c",
        "HTTPS://ds.example/3ds/results",
    ])
    func `is the same whatever path and query are`(_ url: String) throws {
        #expect(try isSame(url, "https://ds.example/results"))
    }

    @Test(arguments: [
        "https://ds.example:8443/results", "http://ds.example/results",
        "https://a.ds.example/results", "https://ds.example.shop.example/",
        "https://ds.example@shop.example/", "https://shop.example/https://ds.example/",
        #"https://ds.example\@shop.example/"#, "https://ds.example:443@shop.example/",
        "https://ds.example#@shop.example/", "https://ds.example/#results", "//ds.example/",
        "ds.example", "", "https://", "https://ds.example /",
        "https://ds.example\u{3002}shop.example/", "ftp://ds.example/", "file:///ds.example",
        "https://user@ds.example/", "https://ds.example./",
    ])
    func `SEC-75: is another one for any other server, and for no server`(_ url: String) throws {
        #expect(try !isSame(url, "https://ds.example/results"))
        #expect(try !isSame("https://ds.example/results", url))
    }

    @Test func `has the port of its scheme`() throws {
        #expect(try isSame("http://127.0.0.1/", "http://127.0.0.1:80/a"))
        #expect(try !isSame("http://127.0.0.1/", "https://127.0.0.1/"))
        #expect(try isSame("https://127.0.0.1:8443/", "https://127.0.0.1:8443/a"))
    }
}
