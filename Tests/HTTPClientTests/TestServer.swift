import Foundation
import HTTPClient
import Synchronization
import TestSupport

/// `server.py` in a process of its own, which ends with this value or with this process.
final class TestServer: Sendable {
    let port: Int
    private let input: FileHandle
    private let events: Events

    /// With a certificate or in plain HTTP; `options` are those of `server.py`.
    init(_ certificate: Certificates.Name? = .server, _ options: [String] = []) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "server.py"
        )
        let secured = try certificate.map {
            ["--certificate", try Certificates.made.get().path($0)]
        }
        let (input, output) = (Pipe(), Pipe())
        // Another process of ours would hold it open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [script.path] + (secured ?? []) + options
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.input = input.fileHandleForWriting
        events = Events(output.fileHandleForReading)
        port = Int(events.firstLine) ?? 0
        events.follow()
    }

    deinit {
        // It is closed when this process ends otherwise.
        try? input.close()
    }

    func url(_ path: String, scheme: String = "https", host: String = "localhost") -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }

    /// Returns when the server has said a line that begins so, which later calls pass over.
    @discardableResult
    func said(_ beginning: String) async throws -> String {
        try await events.next(beginning)
    }

    /// A request for `response` word for word, after which the server does something else.
    func play(_ response: String, then ending: String = "close") -> HTTPRequest {
        HTTPRequest(
            .post(Array(response.utf8)),
            url("/play"),
            headers: [HTTPHeaderLine("Then", ending)]
        )
    }
}

/// The lines that a process says, read on a thread that may wait for them.
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

extension HTTPClient {
    /// One that trusts the tests' own authority, and goes through no proxy.
    static func forTests(
        _ change: (inout Configuration) throws -> Void = { _ in }
    ) throws -> HTTPClient {
        var configuration = Configuration()
        configuration.authorities = try Certificates.made.get().path(.authority)
        configuration.proxy = .none
        // A machine with much to do must fail no test.
        configuration.connectionLimit = .seconds(60)
        configuration.requestLimit = .seconds(120)
        try change(&configuration)
        return try HTTPClient(configuration)
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
