import Glibc
import HTTPServer

/// Prints its port, and serves until its input ends, with TLS if a certificate is named.
///
/// `/events` sends an event and does not end, and `/later` takes a while. `/large` sends the same 4 MiB
/// to each client. Other paths echo the request.
@main
struct ServerProgram {
    static func main() async throws {
        guard CommandLine.arguments.last != "without-threads" else {
            return try await startWithoutThreads()
        }
        let tls = CommandLine.arguments.dropFirst().first.map {
            TLSSettings(certificateFile: $0, keyFile: $0)
        }
        var limits = Limits()
        limits.connectionsPerAddress = limits.connections
        let server = try Server(
            [try Listener("127.0.0.1", port: 0, tls: tls)],
            limits: limits,
            threadCount: 2,
            handler: respond
        )
        try await server.start()
        print(server.ports[0])
        // Flushed: output to a pipe is buffered, and the parent process waits for this line.
        fflush(nil)
        while readLine() != nil {}
        await server.stop(within: .seconds(10))
    }

    /// Starts a server while the address space has room for the stack of one thread, and stops it.
    private static func startWithoutThreads() async throws {
        let server = try Server(
            [try Listener("127.0.0.1", port: 0)],
            threadCount: 2,
            handler: respond
        )
        // Now the shared pool of Swift has a thread.
        await Task.detached {}.value
        var limit = rlimit()
        getrlimit(addressSpace, &limit)
        var low = limit
        low.rlim_cur = UInt(try addressSpaceByteCount()) + 12 << 20
        setrlimit(addressSpace, &low)
        do throws(ServerFailure) {
            try await server.start()
            print("started")
        } catch {
            print("not started")
        }
        setrlimit(addressSpace, &limit)
        await server.stop(within: .seconds(10))
        print("stopped")
    }

    private static let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)

    private static func addressSpaceByteCount() throws -> Int {
        guard let file = fopen("/proc/self/statm", "r") else {
            throw ServerFailure.errorNumber(errno)
        }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        fgets(&line, Int32(line.count), file)
        return atol(line) * sysconf(Int32(_SC_PAGESIZE))
    }

    private static let large = [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20)

    @Sendable
    private static func respond(to request: Request) async -> Response {
        switch request.target {
        case "/events":
            return Response(status: 200, body: .stream(events))
        case "/later":
            // A disconnect ends it.
            try? await Task.sleep(for: .milliseconds(20))
            return Response(status: 200)
        case "/large":
            return Response(status: 200, body: .bytes(large))
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
