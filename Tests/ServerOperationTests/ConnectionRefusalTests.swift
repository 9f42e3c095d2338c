import HTTPServer
import ServerOperation
import TestSupport
import Testing

@Suite struct `Refused connections` {
    private let refusals = ConnectionRefusals(at: ["server"])
    private let start = ContinuousClock.now
    private let pipe: TestPipe
    private let log: Log

    init() throws {
        pipe = try TestPipe()
        log = Log(to: pipe.writing.number) {}
    }

    private func note(_ reason: ConnectionRefusal.Reason, at endpoint: String, second: Int) {
        refusals.note(
            ConnectionRefusal(reason, of: "192.0.2.1"),
            at: endpoint,
            in: log,
            now: start + .seconds(second)
        )
    }

    /// Without time and level.
    private var lines: [String] {
        pipe.read().split(separator: "\n").compactMap {
            $0.split(separator: #""message":"#).last.map(String.init)
        }
    }

    private var metrics: String {
        var text = MetricsText()
        refusals.add(to: &text, of: "x")
        return text.text
    }

    @Test func `have at most one line in a minute, with the number since the last line`() {
        for second in 0..<150 {
            for _ in 0..<10 { note(.certificate("no certificate"), at: "bank", second: second) }
        }
        let beginning = #""client certificate refused","endpoint":"bank","reason":"no certificate""#
        #expect(
            lines
                == [1, 600, 600].map { beginning + #","client":"192.0.2.1","count":\#($0)}"# }
        )
        #expect(metrics.contains("x_client_certificates_refused_total 1500\n"))
    }

    /// At a full endpoint, the client did nothing wrong.
    @Test func `are counted and logged for each endpoint and limit`() {
        let reasons: [ConnectionRefusal.Reason] = [.connections, .connectionsPerAddress]
        for endpoint in ["server", "bank", "server"] {
            for reason in reasons { note(reason, at: endpoint, second: 0) }
        }
        let expected = ["server", "bank"].flatMap { endpoint in
            [
                #"{"limit":"connections","count":1}"#,
                #"{"limit":"connectionsPerAddress","client":"192.0.2.1","count":1}"#,
            ]
            .map { #""connection refused","endpoint":"\#(endpoint)","# + $0.dropFirst() }
        }
        #expect(lines == expected)
        for limit in ["connections", "connectionsPerAddress"] {
            for (endpoint, count) in [("server", 2), ("bank", 1)] {
                let labels = #"{endpoint="\#(endpoint)",limit="\#(limit)"}"#
                #expect(metrics.contains("x_connections_refused_total\(labels) \(count)\n"))
            }
        }
    }

    @Test func `of an endpoint are counted from the start`() {
        let labels = #"{endpoint="server",limit="connections"}"#
        #expect(metrics.contains("x_connections_refused_total\(labels) 0\n"))
        #expect(metrics.contains("x_client_certificates_refused_total 0\n"))
    }
}
