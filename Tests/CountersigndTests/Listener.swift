import Foundation
import ProgramTesting
import TestSupport

/// A device in Python, connected to one node while the bank calls the other node.
struct Listener: Encodable {
    private let subscription: Clients.Call
    private let calls: [Clients.Call]

    init(_ subscription: Clients.Call, during calls: [Clients.Call]) {
        (self.subscription, self.calls) = (subscription, calls)
    }

    /// For each transaction, the seconds from its response to the event.
    func delays() throws -> [Double] {
        let process = try FinishedProcess.run(
            "/usr/bin/python3",
            ["-c", Self.program],
            input: Array(JSONEncoder().encode(self))
        )
        guard process.exitCode == 0 else { throw Premises.Failure(output: process.errorOutput) }
        return process.output.split(separator: "\n").compactMap { Double($0) }
    }

    private static let program = #"""
        import http.client, json, sys, time

        def send(node):
            connection = http.client.HTTPConnection("127.0.0.1", node["port"], timeout=30)
            connection.request("POST", node["path"], node["body"].encode(), node["fields"])
            response = connection.getresponse()
            assert response.status in (200, 201), response.read()
            return response

        task = json.load(sys.stdin)
        stream = send(task["subscription"])
        assert stream.readline() == b":\n"
        for node in task["calls"]:
            id = json.loads(send(node).read())["id"].encode()
            received = time.monotonic()
            while id not in stream.readline():
                pass
            print(time.monotonic() - received)
        """#
}
