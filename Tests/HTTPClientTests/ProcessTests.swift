import HTTPClient
import TestSupport
import Testing

@Suite struct `A process with a client` {
    @Test func `has as many descriptors after 2,000 requests as after ten`() throws {
        let server = try TestServer()
        let paths = ["/", "/last", "/reset", "/"]
        let runs = try RequestProgram.run((0..<2_000).map { server.url(paths[$0 % paths.count]) })
        #expect(runs.count == 2_000)
        #expect(runs.count { $0.outcome == "200" } == 1_500)
        #expect(runs.count { $0.outcome == "responseMissing" } == 500)
        #expect(runs[1_999].descriptorCount == runs[11].descriptorCount)
    }

    @Test func `survives a server that resets connections during a write`() throws {
        let server = try TestServer()
        let urls = [String](repeating: server.url("/reset"), count: 20)
        let runs = try RequestProgram.run(urls, bodySize: 4 << 20)
        #expect(runs.map(\.outcome) == [String](repeating: "responseMissing", count: 20))
    }
}
