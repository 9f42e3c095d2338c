import Glibc
import HTTPServer

/// Prints its port, and serves until its input ends, with TLS if a certificate is named.
///
/// `/events` sends an event and does not end, `/later` takes a while, and other paths echo the
/// request.
@main
struct ServerProgram {
    static func main() async throws {
        let tls = CommandLine.arguments.dropFirst().first.map {
            TLSSettings(certificateFile: $0, keyFile: $0)
        }
        var limits = Limits()
        limits.connectionsPerAddress = limits.connections
        let server = try Server(
            [try Listener("127.0.0.1", port: 0, tls: tls)],
            limits: limits,
            threadCount: 2,
            handler: answer
        )
        try await server.start()
        print(server.ports[0])
        // Flushed: output to a pipe is buffered, and the parent process waits for this line.
        fflush(nil)
        while readLine() != nil {}
        await server.stop(within: .seconds(10))
    }

    @Sendable
    private static func answer(_ request: Request) async -> Response {
        switch request.target {
        case "/events":
            return Response(status: 200, body: .stream(events))
        case "/later":
            // A disconnect ends it.
            try? await Task.sleep(for: .milliseconds(20))
            return Response(status: 200)
        default:
            return Response(status: 200, body: .bytes(Array(request.target.utf8) + request.body))
        }
    }

    @Sendable
    private static func events(_ writer: Response.Writer) async throws(Response.Cut) {
        try await writer.write(Array("data: 1\n\n".utf8))
        // It throws if the client disconnects.
        try? await Task.sleep(for: .seconds(86_400))
    }
}
