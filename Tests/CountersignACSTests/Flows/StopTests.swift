import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers) struct `The stop of an ACS` {
    @Test func `ends the wait of a page with its present state`() throws {
        let premises = try IssuerPremises()
        let purchase = try Purchase(in: premises, channel: "browser")
        let page = try premises.peer.run(
            "browser",
            ["transaction": purchase.transaction, "action": "open"]
        )
        let address = try #require(page.text("address").flatMap { URL(string: $0) })
        let poll = try WaitingPoll(
            address.path + "/state?wait=25",
            at: premises.ports.challenges,
            trusting: premises.folder.path("pki/ca.pem")
        )
        let start = ContinuousClock.now
        let (exitCode, log) = try premises.stop()
        #expect(exitCode == 0)
        // It takes less than 2 seconds, and more on a busy machine. The wait has 25.
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(try poll.response().hasSuffix(#"{"state":"pending"}"#))
        #expect(log.contains { $0.contains(#""outcome":"pending""#) })
    }
}

/// A request that a page sends, and that the ACS has read.
private final class WaitingPoll {
    private let process = Process()
    private let output = Pipe.closedOnExec()

    private static let program = """
        import socket, ssl, sys
        port, path, authority = int(sys.argv[1]), sys.argv[2], sys.argv[3]
        plain = socket.create_connection(("127.0.0.1", port))
        places = f":{port:04X}", f":{plain.getsockname()[1]:04X}"
        context = ssl.create_default_context(cafile=authority)
        connection = context.wrap_socket(plain, server_hostname="localhost")
        connection.sendall(f"GET {path} HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n".encode())
        def is_read(row):
            ends = row[1][-5:], row[2][-5:]
            return ends == places and row[4].split(":")[1] == "00000000"
        while not any(is_read(line.split()) for line in open("/proc/net/tcp")):
            pass
        print("read", flush=True)
        response = b""
        while part := connection.recv(4096):
            response += part
        sys.stdout.write(response.decode())
        """

    init(_ path: String, at port: Int, trusting authority: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, "\(port)", path, authority]
        process.standardOutput = output
        try process.start()
        try output.fileHandleForWriting.close()
        let first = output.fileHandleForReading.availableData
        try #require(first.starts(with: "read".utf8))
    }

    func response() throws -> String {
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
