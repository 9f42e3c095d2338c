import CReference
import TransactionApproval

/// Event streams, one per device, each over its own connection.
final class OpenStreams {
    private let streams: OpaquePointer
    private let count: Int

    /// Returns when all streams have begun.
    init(at folder: VerifierFolder, isSecured: Bool, count: Int) throws {
        let requests = try (0..<count).map {
            try folder.request(EventsExchange.self, ofDevice: $0).bytes
        }
        let streams = requests.withReferences {
            reference_open_streams(CInt(folder.port), isSecured, $0.baseAddress, $0.count)
        }
        guard let streams else { throw BenchmarkFailure("an event stream did not begin") }
        self.streams = streams
        self.count = count
    }

    deinit {
        reference_close_streams(streams)
    }

    /// Throws if a stream has ended.
    func check() throws {
        let open = reference_open_stream_count(streams)
        guard open == count else {
            throw BenchmarkFailure("\(open) of \(count) event streams are open")
        }
    }
}
