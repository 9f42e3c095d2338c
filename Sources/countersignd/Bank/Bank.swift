import CommandLineTool
import StrictJSON

/// The bank's API as a command sees it, in the store or over the network.
struct Bank: Sendable {
    /// What came back.
    struct Reply: Sendable {
        let status: Int
        let body: [UInt8]
    }

    typealias Way = @Sendable (APIRequest) async throws(CommandFailure) -> Reply

    /// A page of transactions may be larger than what is taken from anybody.
    private static let limits = StrictJSON.Limits(
        byteCount: 4 << 20,
        depth: 16,
        valueCount: 64 << 10
    )

    private let way: Way
    /// Why something may be there all the same that is not found.
    private let doubt: String?

    init(doubtingAbsence doubt: String? = nil, _ way: @escaping Way) {
        self.way = way
        self.doubt = doubt
    }

    /// Has it done; what is refused is a failure.
    @discardableResult
    func ask(_ request: APIRequest) async throws(CommandFailure) -> [UInt8] {
        let reply = try await way(request)
        guard 200...299 ~= reply.status else { throw CommandFailure(reply, to: request, doubt) }
        return reply.body
    }

    func ask<Resource: Decodable>(
        _ request: APIRequest,
        for resource: Resource.Type
    ) async throws(CommandFailure) -> Resource {
        let document = try await ask(request)
        do throws(StrictJSON.Failure) {
            return try StrictJSON.decode(resource, from: document, limits: Self.limits)
        } catch {
            throw CommandFailure(
                .untrustedResponse,
                "what was asked for was answered, but not as this countersignd knows it",
                hint: "ask with the countersignd of the same release"
            )
        }
    }
}
