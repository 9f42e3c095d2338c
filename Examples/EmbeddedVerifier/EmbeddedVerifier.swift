import Dispatch
import Glibc
import VerifierServer

/// A program of your own that contains a verifier.
///
/// `countersignd init` creates the store and the keys in the folder that the argument names.
/// SIGTERM stops the server gracefully.
@main
enum EmbeddedVerifier {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: EmbeddedVerifier FOLDER")
            exit(64)
        }
        let folder = CommandLine.arguments[1]
        let keys = VerifierServer.Configuration.Keys(
            encryption: .file("\(folder)/keys/encryption"),
            agreement: "\(folder)/keys/agreement",
            response: "\(folder)/keys/answers",
            checkpoint: "\(folder)/keys/checkpoint"
        )
        let anyPort = VerifierServer.Configuration.Address(host: "127.0.0.1", port: 0)
        var configuration = VerifierServer.Configuration(
            origin: "http://127.0.0.1:8080",
            store: .sqlite(path: "\(folder)/store/countersign.db"),
            journal: "\(folder)/journal/journal",
            keys: keys,
            api: .init(addresses: [anyPort]),
            operation: .init(addresses: [anyPort])
        )
        configuration.limits.drain = .seconds(5)
        configuration.logging.level = .error

        // From here on the signal does not end the process, also while the server starts.
        let (terminations, termination) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingOldest(1)
        )
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        source.setEventHandler { termination.yield() }
        source.resume()
        defer { source.cancel() }

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
