import CommandLineTool
import FailureTranslation
import StrictJSON
import VerifierServer

/// The client of the bank's API that commands use: in process, or over the network.
struct BankAPIClient: Sendable {
    typealias Transport = @Sendable (APIRequest) async throws(CommandFailure) -> APIResponse

    /// A page of transactions can be larger than other messages.
    private static let limits = StrictJSON.Limits(
        byteCount: 4 << 20,
        depth: 16,
        valueCount: 64 << 10
    )

    private let transport: Transport
    /// Why an existing resource can be invisible.
    private let scopeHint: String?

    init(scopeHint: String? = nil, transport: @escaping Transport) {
        self.transport = transport
        self.scopeHint = scopeHint
    }

    /// Returns the body of a successful response.
    @discardableResult
    func send(_ request: APIRequest) async throws(CommandFailure) -> [UInt8] {
        let response = try await transport(request)
        guard 200...299 ~= response.status else {
            throw CommandFailure(response, to: request, scopeHint: scopeHint)
        }
        guard response.status != 202 else {
            throw .unconfirmed(try read(response.body))
        }
        return response.body
    }

    func send<Resource: Decodable>(
        _ request: APIRequest,
        for resource: Resource.Type = Resource.self
    ) async throws(CommandFailure) -> Resource {
        try read(try await send(request))
    }

    private func read<Resource: Decodable>(
        _ document: [UInt8]
    ) throws(CommandFailure) -> Resource {
        try translating(StrictJSON.decode(Resource.self, from: document, limits: Self.limits)) {
            (_: StrictJSON.Failure) in
            CommandFailure(
                .unknownResult,
                "this countersignd cannot read the verifier's response",
                hint: APIResponse.releaseHint
            )
        }
    }

    func text(_ request: APIRequest) async throws(CommandFailure) -> String {
        String(decoding: try await send(request), as: UTF8.self)
    }
}

extension APIRequest {
    static func json(_ value: some Encodable) throws(CommandFailure) -> [UInt8] {
        try translating(StrictJSON.encode(value)) { (_: StrictJSON.Unwritable) in
            CommandFailure(.internalFailure, "the request cannot be written as JSON")
        }
    }
}
