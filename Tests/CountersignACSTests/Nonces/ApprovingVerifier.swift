import HTTPServer
import PrivateFiles
import StrictJSON
import TestSupport
import Testing
import Transactions

/// A verifier and a directory server that take every call, over plain HTTP.
///
/// A real verifier limits the requests of a person, so it would refuse 10,000 challenges. The
/// identifier of a transaction is that of its challenge.
final class ApprovingVerifier: Sendable {
    private struct State {
        var approved: Set<String> = []
        /// Whether something was approved after the last response about ends.
        var hasNews = false
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    let origin: String
    private let state: LockedValue<State>
    private let server: Server

    init() async throws {
        let state = LockedValue(State())
        server = try Server([Listener("127.0.0.1", port: 0)], threadCount: 1) { request in
            await Self.response(to: request, state)
        }
        self.state = state
        origin = "http://127.0.0.1:\(server.ports[0])"
        try await server.start()
    }

    func stop() async { await server.stop(within: .zero) }

    func approve(_ challenge: String) {
        let waiting = state.withLock { state in
            state.approved.insert(challenge)
            state.hasNews = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for call in waiting { call.finish() }
    }

    private static func response(
        to request: Request,
        _ state: LockedValue<State>
    ) async -> Response {
        let path = request.target
        // Another request is a defect, which the ACS then reports: `try?`.
        let document = try? JSONValue(reading: request.body, limits: .message)
        if path.hasSuffix("/readiness?source=cards") {
            return .json(#"{"ready":true,"muted":false,"authentication":["userPIN"]}"#)
        }
        if path.hasSuffix("/transactions/ended") {
            let ids = document?["ids"]?.elements.compactMap(\.text) ?? []
            return await .json(ends(of: ids, state))
        }
        if path.hasSuffix("/transactions") {
            let key = request.fields.first { $0.name.lowercased() == "idempotency-key" }
            return .json(#"{"id":"\#(key?.value ?? "")"}"#, status: 201)
        }
        return path.hasSuffix("/results") ? .json(result(to: document)) : .json("{}")
    }

    /// Waits for an approval, or for the end of the client.
    private static func ends(of ids: [String], _ state: LockedValue<State>) async -> String {
        let (approvals, approval) = AsyncStream<Void>.makeStream()
        let mustWait = state.withLock { state in
            guard !state.hasNews, state.approved.isDisjoint(with: ids) else { return false }
            state.waiting.append(approval)
            return true
        }
        if mustWait { for await _ in approvals {} }
        let ended = state.withLock { state in
            state.hasNews = false
            return ids.filter(state.approved.contains)
        }
        let list = ended.map { #"{"id":"\#($0)","state":"approved","approvedWith":"userPIN"}"# }
        return #"{"ended":[\#(list.joined(separator: ","))],"unapprovable":[],"unknown":[]}"#
    }

    /// The RRes to an RReq.
    private static func result(to request: JSONValue?) -> String {
        let names = [
            "messageVersion", "threeDSServerTransID", "dsTransID", "acsTransID", "sdkTransID",
        ]
        let members = names.map { #""\#($0)":"\#(request?[$0]?.text ?? "")""# }
        return #"{"messageType":"RRes","resultsStatus":"01",\#(members.joined(separator: ","))}"#
    }
}

extension Response {
    fileprivate static func json(_ text: String, status: Int = 200) -> Response {
        Response(
            status: status,
            fields: [Field("content-type", "application/json")],
            body: .bytes(Array(text.utf8))
        )
    }
}
