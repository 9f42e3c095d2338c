import PrivateFiles
import StrictJSON
import ThreeDSIssuer
import Transactions

/// The calls of a verifier that an ACS makes, for payments whose ends a test chooses.
final class ModelBank: Sendable {
    private struct State {
        /// The transaction of each challenge.
        var transactions: [String: String] = [:]
        var approved: Set<String> = []
    }

    private let state = LockedValue(State())

    var client: VerifierClient {
        VerifierClient(of: EnterpriseID(checked: "bank")) {
            call async throws(VerifierFailure) in
            let body = self.response(to: call)
            return (200, Array(body.utf8))
        }
    }

    func approve(_ challenge: String) {
        state.withLock { state in
            if let id = state.transactions[challenge] { state.approved.insert(id) }
        }
    }

    private func response(to call: VerifierClient.Call) -> String {
        state.withLock { state in
            if call.target.hasSuffix("/readiness?source=cards") {
                return #"{"ready":true,"muted":false,"authentication":["userPIN"]}"#
            }
            if call.target.hasSuffix("/transactions"), let key = call.key {
                let id = state.transactions[key] ?? "transaction-\(state.transactions.count + 1)"
                state.transactions[key] = id
                return #"{"id":"\#(id)"}"#
            }
            let ended = state.approved.sorted().map {
                #"{"id":"\#($0)","state":"approved","approvedWith":"userPIN"}"#
            }
            return #"{"ended":[\#(ended.joined(separator: ","))],"unapprovable":[],"unknown":[]}"#
        }
    }
}
