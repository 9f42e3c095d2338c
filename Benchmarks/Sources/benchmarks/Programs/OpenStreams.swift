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
        guard let streams else { throw Failure() }
        self.streams = streams
        self.count = count
    }

    deinit {
        reference_close_streams(streams)
    }

    /// Throws if a stream has ended.
    func check() throws {
        guard reference_open_stream_count(streams) == count else { throw Failure() }
    }

    private struct Failure: Error {}
}
