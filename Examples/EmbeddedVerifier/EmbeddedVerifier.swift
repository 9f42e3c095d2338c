import Glibc
import VerifierServer

/// A program of your own that contains a verifier.
///
/// `countersignd init` creates the store and the keys in the folder. The origin has the port too,
/// because devices call the verifier there. SIGTERM stops the server gracefully.
@main
enum EmbeddedVerifier {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 2, let port = Int(words[1]) else {
            print("usage: EmbeddedVerifier FOLDER PORT")
            exit(64)
        }
        // From here on the signal waits until it is read, also while the server starts.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let (terminations, termination) = AsyncStream<Void>.makeStream()
        // Detached, because this thread only waits.
        Task.detached {
            do {
                try await serve(words[0], at: port, until: terminations)
                exit(0)
            } catch {
                print(error)
                exit(1)
            }
        }
        // Swift's own wait in the first thread would end the process at a signal.
        while true {
            var number: Int32 = 0
            sigwait(&signals, &number)
            termination.yield()
        }
    }

    private static func serve(
        _ folder: String,
        at port: Int,
        until terminations: AsyncStream<Void>
    ) async throws {
        let keys = VerifierServer.Configuration.Keys(
            encryption: .file("\(folder)/keys/encryption"),
            agreement: "\(folder)/keys/agreement",
            response: "\(folder)/keys/response",
            checkpoint: "\(folder)/keys/checkpoint"
        )
        var configuration = VerifierServer.Configuration(
            origin: "http://127.0.0.1:\(port)",
            store: .sqlite(path: "\(folder)/store/countersign.db"),
            journal: "\(folder)/journal/journal",
            keys: keys,
            api: .init(addresses: [.init(host: "127.0.0.1", port: port)]),
            // Any free port.
            operation: .init(addresses: [.init(host: "127.0.0.1", port: 0)])
        )
        configuration.limits.drain = .seconds(5)
        configuration.logging.level = .error

        let server = VerifierServer(configuration: configuration)
        try await server.start()
        print("serving at 127.0.0.1:\(await server.ports[0])")
        print("health at 127.0.0.1:\(await server.operationPorts[0])")
        fflush(nil)
        for await _ in terminations { break }
        await server.stop()
        print("stopped")
    }
}
