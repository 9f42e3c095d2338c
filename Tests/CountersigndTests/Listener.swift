import Foundation
import ProgramTesting
import TestSupport

/// A device in Python, connected to one node while the bank calls the other node.
struct Listener: Encodable {
    private let listening: Clients.Ask
    private let asks: [Clients.Ask]

    init(_ listening: Clients.Ask, hearing asks: [Clients.Ask]) {
        (self.listening, self.asks) = (listening, asks)
    }

    /// For each transaction, the seconds from its response to the event.
    func delays() throws -> [Double] {
        let heard = try FinishedProcess.run(
            "/usr/bin/python3",
            ["-c", Self.program],
            input: Array(JSONEncoder().encode(self))
        )
        guard heard.exitCode == 0 else { throw Premises.Failure(output: heard.errorOutput) }
        return heard.output.split(separator: "\n").compactMap { Double($0) }
    }

    private static let program = #"""
        import http.client, json, sys, time

        def ask(node):
            connection = http.client.HTTPConnection("127.0.0.1", node["port"], timeout=30)
            connection.request("POST", node["path"], node["body"].encode(), node["fields"])
            answer = connection.getresponse()
            assert answer.status in (200, 201), answer.read()
            return answer

        task = json.load(sys.stdin)
        stream = ask(task["listening"])
        assert stream.readline() == b":\n"
        for node in task["asks"]:
            id = json.loads(ask(node).read())["id"].encode()
            answered = time.monotonic()
            while id not in stream.readline():
                pass
            print(time.monotonic() - answered)
        """#
}
