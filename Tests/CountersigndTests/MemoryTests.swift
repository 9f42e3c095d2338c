import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Reads the memory of a running verifier, as root or a debugger can.
@Suite(.needsPlainMemory) struct `The memory of the verifier` {
    @Test(.timeLimit(.minutes(5)))
    func `SEC-26: has no code after the response`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        let port = try freePort()
        let relay = try RecordingRelay(to: port)
        try premises.serve(at: port, with: nil)
        let origin = "http://127.0.0.1:\(relay.port)"
        try premises.configure("http://127.0.0.1:8080", as: origin)
        let verifier = try RunningVerifier(premises)

        let backend = try Backend(premises, origin)
        let issued = try backend.post("/activations")
        let code = try #require(issued["code"])
        let app = try AuthenticationHandler(
            vault: premises.path("vault"),
            secrets: SecretFolder(premises.path("secrets")),
            deviceName: "Phone"
        )
        let typed = Array(code.utf8)
        let activation = try Activation(
            id: try #require(issued["id"]),
            code: typed.span,
            at: premises.trusted(at: origin)
        )
        _ = try await app.setPIN(Premises.typedPIN(), for: app.verifyActivation(activation))
        let created = try backend.post("/transactions", #"{"context":"action","title":"Limit"}"#)
        let shown = try #require(try await app.getTransaction())
        #expect(shown.id == created["id"])
        try await app.authenticateUsingUserPIN(shown, pin: Premises.typedPIN())

        let codes = relay.sent.matches(of: /"code":"([0-9a-f]{64})"/).map { String($0.1) }
        #expect(codes.count == 1)
        let found = try premises.counts(
            of: codes + [code, code.replacing("-", with: ""), premises.configuration],
            in: verifier.processID
        )
        #expect(found.dropLast().allSatisfy { $0 == 0 }, "\(found)")
        #expect(try #require(found.last) > 0, "the search reads the memory")
        #expect(verifier.stop() == 0)
    }

    /// A client reads the refusal, and only then sends the rest, which the server discards.
    private static let refused = """
        import socket, sys

        port, marks = int(sys.argv[1]), sys.argv[2:]
        heads = [
            f"POST /device/v1/status HTTP/1.1\\r\\nHost: x\\r\\nX: {marks[0]}\\r\\n"
            "Content-Length: 99999999\\r\\n\\r\\n",
            f"GET /{marks[1]} HTTP/9.9\\r\\nX: {marks[1]}\\r\\n\\r\\n",
        ]
        for head, rest in zip(heads, marks[2:]):
            client = socket.create_connection(("127.0.0.1", port))
            client.sendall(head.encode())
            print(client.recv(4096).split()[1].decode())
            client.sendall(rest.encode())
            client.shutdown(socket.SHUT_WR)
            while client.recv(4096):
                pass
        """

    @Test func `SEC-26: has nothing of a refused request, nor of the rest that follows it`() throws
    {
        let premises = try Premises.initialized()
        try premises.serve(with: nil)
        let verifier = try RunningVerifier(premises)
        let marks = (0..<4).map { number in
            String(repeating: "\(number)Qx", count: 16) + UUID().uuidString
        }
        let client = try FinishedProcess.run(
            "python3",
            ["-c", Self.refused, "\(verifier.port)"] + marks
        )
        #expect(client.output == "413\n505\n", "\(client.errorOutput)")
        let found = try premises.counts(
            of: marks + [premises.configuration],
            in: verifier.processID
        )
        #expect(found.dropLast().allSatisfy { $0 == 0 }, "\(found)")
        #expect(try #require(found.last) > 0, "the search reads the memory")
        #expect(verifier.stop() == 0)
    }
}

extension Premises {
    fileprivate func configure(_ text: String, as other: String) throws {
        let configuration = String(decoding: try contents("countersignd.json"), as: UTF8.self)
        try #require(configuration.contains(text))
        try write(configuration.replacing(text, with: other), to: "countersignd.json")
    }

    /// How often pieces of each text are in the writable memory of a process.
    ///
    /// Pieces of 16 bytes, the size of a vector register that is saved on a stack.
    fileprivate func counts(of texts: [String], in process: Int32) throws -> [Int] {
        let input = Array(texts.joined(separator: "\n").utf8)
        let run = try FinishedProcess.run(
            "python3",
            ["-c", Self.search, "\(process)"],
            input: input
        )
        return try #require(run.exitCode == 0 ? run.output : nil, "\(run.errorOutput)")
            .split(separator: "\n").compactMap { Int($0) }
    }

    private static let search = """
        import re, sys

        texts = [line.encode() for line in sys.stdin.read().split("\\n")]
        counts = [0] * len(texts)
        with open(f"/proc/{sys.argv[1]}/mem", "rb", 0) as memory:
            for line in open(f"/proc/{sys.argv[1]}/maps"):
                place = re.match("([0-9a-f]+)-([0-9a-f]+) rw", line)
                if not place:
                    continue
                start, end = (int(number, 16) for number in place.groups())
                memory.seek(start)
                try:
                    content = memory.read(end - start)
                except OSError:
                    continue
                for index, text in enumerate(texts):
                    for begin in range(0, len(text) - 15, 16):
                        counts[index] += content.count(text[begin:begin + 16])
        print(*counts, sep="\\n")
        """
}
