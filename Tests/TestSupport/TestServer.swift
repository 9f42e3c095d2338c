package import Foundation

/// `server.py` in a separate process, which ends with this value or with this process.
package final class TestServer: Sendable {
    package let port: Int
    fileprivate let input: FileHandle
    private let events: Events

    /// With a certificate or in plain HTTP; `options` are those of `server.py`.
    package init(_ certificate: Certificates.Name? = .server, _ options: [String] = []) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "server.py"
        )
        let secured = try certificate.map {
            ["--certificate", try Certificates.shared.get().path($0)]
        }
        let (input, output) = (Pipe.closedOnExec(), Pipe.closedOnExec())
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [script.path] + (secured ?? []) + options
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        self.input = input.fileHandleForWriting
        events = Events(output.fileHandleForReading)
        port = Int(events.firstLine) ?? 0
        events.follow()
    }

    deinit {
        // The server stops when its standard input ends.
        try? input.close()
    }

    package func url(_ path: String, scheme: String = "https", host: String = "localhost") -> String
    {
        "\(scheme)://\(host):\(port)\(path)"
    }

    /// Waits for an output line with this beginning; later calls continue after that line.
    @discardableResult
    package func waitForLine(_ beginning: String) async throws -> String {
        try await events.next(beginning)
    }
}

// MARK: Relay

extension TestServer {
    /// A request that waits for its response.
    package struct Request: Decodable, Sendable {
        package let method: String
        package let target: String
        /// Pairs of name and value.
        package let fields: [[String]]
        package let body: Data
    }

    /// The next request to a server with the option `--relay`.
    package func request() async throws -> Request {
        let line = try await waitForLine("relay ").dropFirst("relay ".count)
        return try JSONDecoder().decode(Request.self, from: Data(line.utf8))
    }

    /// Responds to the waiting request.
    package func respond(_ status: Int, _ body: String = "", _ fields: [String] = []) throws {
        let lines = ["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)"] + fields
        try respond(with: Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    }

    /// Sends these bytes unchanged as the response to the waiting request.
    package func respond(with response: [UInt8]) throws {
        try input.write(contentsOf: Data(Data(response).base64EncodedString().utf8 + [0x0a]))
    }
}

/// The output lines of a process, read on a separate thread.
private final class Events: Sendable {
    private let output: FileHandle
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    struct Ended: Error {}

    init(_ output: FileHandle) {
        self.output = output
        (lines, continuation) = AsyncStream.makeStream()
    }

    var firstLine: String { readLine() ?? "" }

    func follow() {
        Foundation.Thread.detachNewThread { [self] in
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
    }

    func next(_ beginning: String) async throws -> String {
        for await line in lines where line.hasPrefix(beginning) { return line }
        throw Ended()
    }

    private func readLine() -> String? {
        var line: [UInt8] = []
        while let byte = try? output.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }
}
