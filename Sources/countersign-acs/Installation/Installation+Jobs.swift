import CommandLineTool
import Storage
import ThreeDSIssuer

extension Installation {
    /// For the help of commands that use the store.
    static let storeOnly = "The ACS can run at the same time."

    init(readingFileAt path: String) throws(CommandFailure) {
        self.init(configuration: try Configuration(readingFileAt: path))
    }

    func read<Outcome: Sendable>(
        _ store: IssuerStore,
        _ job: @escaping Job<Outcome>
    ) async throws(CommandFailure) -> Outcome {
        try await onStore { () async throws(StoreFailure) in try await store.database.read(job) }
    }

    func write<Outcome: Sendable>(
        to store: IssuerStore,
        _ job: @escaping Job<Outcome>
    ) async throws(CommandFailure) -> Outcome {
        try await onStore { () async throws(StoreFailure) in try await store.database.write(job) }
    }
}
