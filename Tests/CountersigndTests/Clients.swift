import Foundation
import TestSupport
import TransactionApproval

/// Concurrent clients in Python; each sends its requests in order.
///
/// A connection without a response makes the client use the next node, like a load balancer.
final class Clients {
    /// A request to a node.
    struct Call: Encodable {
        let port: Int
        let path: String
        let fields: [String: String]
        let body: String

        init(_ request: SignedRequest, at port: Int) {
            self.port = port
            path = String(request.message.targetURI.dropFirst(Nodes.origin.utf8.count))
            fields = Dictionary(uniqueKeysWithValues: request.fields.map { ($0.name, $0.value) })
            body = String(decoding: request.message.body, as: UTF8.self)
        }

        /// A request of a bank's program.
        init(_ path: String, _ body: String, as header: String, at port: Int) {
            self.port = port
            self.path = path
            let words = header.split(separator: ": ", maxSplits: 1).map(String.init)
            fields = [
                words[0]: words[1], "Content-Type": "application/json",
                "Idempotency-Key": UUID().uuidString,
            ]
            self.body = body
        }
    }

    struct Response: Decodable {
        let client: Int
        /// The number of nodes that received the request.
        let nodeCount: Int
        let status: Int
        let body: String
    }

    private let process = Process()
    private let output = Pipe.closedOnExec()
    private var unread = Data()

    /// For each client its requests, each with one form for each node.
    init(_ clients: [[[Call]]]) throws {
        let input = Pipe.closedOnExec()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", Self.program]
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(clients))
        try input.fileHandleForWriting.close()
    }

    /// The next response; nil after the last one.
    func next() throws -> Response? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return try JSONDecoder().decode(Response.self, from: unread[..<end])
            }
            let more = try output.fileHandleForReading.nextData()
            guard !more.isEmpty else { return nil }
            unread += more
        }
    }

    /// All remaining responses.
    func remainingResponses() throws -> [Response] {
        var responses: [Response] = []
        while let response = try next() { responses.append(response) }
        process.waitUntilExit()
        return responses
    }

    private static let program = #"""
        import http.client, json, sys, threading

        clients = json.load(sys.stdin)
        ready = threading.Barrier(len(clients))
        screen = threading.Lock()

        def connect(port):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.connect()
            return connection

        def send(connections, nodes):
            for count, node in enumerate(nodes, 1):
                try:
                    connection = connections.pop(node["port"], None) or connect(node["port"])
                    connection.request("POST", node["path"], node["body"].encode(), node["fields"])
                    response = connection.getresponse()
                    result = {"status": response.status, "body": response.read().decode()}
                    connections[node["port"]] = connection
                    return {"nodeCount": count, **result}
                except (OSError, http.client.HTTPException) as failure:
                    result = {"status": 0, "body": repr(failure)}
            return {"nodeCount": count, **result}

        def run(number, calls):
            port = calls[0][0]["port"]
            connections = {port: connect(port)}
            ready.wait()
            for nodes in calls:
                response = {"client": number, **send(connections, nodes)}
                with screen:
                    print(json.dumps(response), flush=True)

        threads = [threading.Thread(target=run, args=client) for client in enumerate(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        """#
}
