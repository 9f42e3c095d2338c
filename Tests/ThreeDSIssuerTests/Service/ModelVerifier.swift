import HTTPClient
import PrivateFiles
import StrictJSON
import TestSupport
import Testing
import Transactions

@testable import ThreeDSIssuer

/// The calls of the bank's API that an ACS makes, with responses that a test chooses.
///
/// Tests of the program use a real verifier.
final class ModelVerifier: Sendable {
    fileprivate struct State {
        var enterprise = EnterpriseID(checked: "bank")
        var isReachable = true
        var readiness = #"{"ready":true,"muted":false,"authentication":["userPIN","biometric"]}"#
        var number: String?
        /// By the key of the call that created them.
        var transactions: [String: String] = [:]
        var contents: [String: [UInt8]] = [:]
        /// The response to the next call whose path has this end is lost.
        var lostEnd: String?
        /// The code of a refusal of each call with this end.
        var refusals: [String: String] = [:]
        /// The code of a refusal of each content with an address to return to.
        var refusalOfReturnURL: String?
        /// The bytes of the response to each call with this end.
        var documents: [String: String] = [:]
        /// The members of each end.
        var ends: [String: String] = [:]
        var unapprovable: Set<String> = []
        var withoutDevice: Set<String> = []
        var withdrawn: Set<String> = []
        /// The responses to the next calls for another notification; later ones get the last one.
        var notifications = [#"{"notified":true}"#]
        var calls: [String] = []
        /// The end of the calls that wait for their responses.
        var heldEnd: String?
        var heldCount = 0
    }

    private let state = LockedValue(State())

    var client: VerifierClient {
        VerifierClient(of: state.withLock(\.enterprise)) {
            call async throws(VerifierFailure) in
            await self.waitWhileHeld(call)
            return try self.response(to: call)
        }
    }

    /// The transaction that was created for a challenge.
    func transaction(_ key: String) -> String? { state.withLock { $0.transactions[key] } }

    /// The content of the call that created the transaction of a challenge.
    func content(_ key: String) throws -> JSONValue? {
        try state.withLock { $0.contents[key] }.map { try JSONValue(reading: $0, limits: .message) }
    }

    var isWithdrawn: Bool { state.withLock { !$0.withdrawn.isEmpty } }

    func isWithdrawn(_ key: String) -> Bool {
        state.withLock { state in state.transactions[key].map(state.withdrawn.contains) ?? false }
    }

    var calls: [String] { state.withLock { $0.calls } }

    /// The paths of the calls for another notification.
    var notificationCalls: [String] { calls.filter { $0.hasSuffix("/notifications") } }

    /// Has no effect on a transaction that was withdrawn before.
    func end(_ key: String, as members: String) {
        state.withLock { state in
            guard let id = state.transactions[key], !state.withdrawn.contains(id) else { return }
            state.ends[id] = members
        }
    }

    func approve(_ key: String, with way: String = "userPIN") {
        end(key, as: #""state":"approved","approvedWith":"\#(way)""#)
    }

    func lock(_ key: String) {
        state.withLock { state in
            if let id = state.transactions[key] { state.unapprovable.insert(id) }
        }
    }

    func revoke(_ key: String) {
        lock(key)
        state.withLock { state in
            if let id = state.transactions[key] { state.withoutDevice.insert(id) }
        }
    }

    /// The next call whose path has this end has its effect, and its response does not arrive.
    func loseNextResponse(to end: String = "") { state.withLock { $0.lostEnd = end } }

    /// Refuses each call whose path has this end; nil ends that.
    func refuse(_ end: String, with code: String?) { state.withLock { $0.refusals[end] = code } }

    func refuseReturnURL(with code: String) { state.withLock { $0.refusalOfReturnURL = code } }

    /// Responds with these bytes to each call whose path has this end; nil ends that.
    func respond(to end: String, with document: String?) {
        state.withLock { $0.documents[end] = document }
    }

    /// Lets each call whose path has this end wait for its response; nil ends that.
    func hold(_ end: String?) { state.withLock { ($0.heldEnd, $0.heldCount) = (end, 0) } }

    /// The number of calls that wait.
    var heldCount: Int { state.withLock { $0.heldCount } }

    private func waitWhileHeld(_ call: VerifierClient.Call) async {
        func isHeld() -> Bool {
            state.withLock { state in state.heldEnd.map(call.target.hasSuffix) ?? false }
        }
        guard isHeld() else { return }
        state.withLock { $0.heldCount += 1 }
        // A test that waits too long fails by itself.
        try? await waitUntil { !isHeld() }
    }

    /// The enterprise of the next client.
    func set(enterprise: String) {
        state.withLock { $0.enterprise = EnterpriseID(checked: enterprise) }
    }

    func set(isReachable: Bool) { state.withLock { $0.isReachable = isReachable } }
    func set(readiness: String) { state.withLock { $0.readiness = readiness } }
    func set(notifications: String...) {
        state.withLock { $0.notifications = notifications }
    }
    func set(number: String) { state.withLock { $0.number = number } }

    private func response(
        to call: VerifierClient.Call
    ) throws(VerifierFailure) -> (status: Int, body: [UInt8]) {
        guard state.withLock({ $0.isReachable }) else {
            throw .unreachable(.networkUnavailable(.connection))
        }
        let answer: (Int, String)? = state.withLock { state in
            state.calls.append("\(call.method.rawValue) \(call.target)")
            for (end, code) in state.refusals where call.target.hasSuffix(end) {
                return (422, #"{"code":"\#(code)"}"#)
            }
            for (end, document) in state.documents where call.target.hasSuffix(end) {
                return (200, document)
            }
            let response = state.response(to: call)
            guard let end = state.lostEnd, call.target.hasSuffix(end) else { return response }
            state.lostEnd = nil
            return nil
        }
        guard let answer else { throw .unreachable(.responseMissing) }
        return (answer.0, Array(answer.1.utf8))
    }
}

extension ModelVerifier.State {
    fileprivate mutating func response(to call: VerifierClient.Call) -> (Int, String) {
        if call.target.hasSuffix("/readiness?source=cards") {
            return call.target.contains("/card/unknown/")
                ? (404, #"{"code":"accountUnknown"}"#) : (200, readiness)
        }
        if call.target.hasSuffix("/transactions"), let key = call.key {
            let content = String(decoding: call.content ?? [], as: UTF8.self)
            if let refusalOfReturnURL, content.contains("returnURL") {
                return (422, #"{"code":"\#(refusalOfReturnURL)"}"#)
            }
            if let content = contents[key], content != call.content {
                return (422, #"{"code":"idempotencyKeyReused"}"#)
            }
            contents[key] = call.content
            let id = transactions[key] ?? "transaction-\(transactions.count + 1)"
            transactions[key] = id
            let number = number.map { #","number":"\#($0)""# } ?? ""
            return (201, #"{"id":"\#(id)"\#(number)}"#)
        }
        if call.target.hasSuffix("/transactions/ended") {
            let wanted = (try? JSONValue(reading: call.content ?? [], limits: .message))?["ids"]
            let ids = wanted?.elements.compactMap(\.text) ?? []
            let ended = ids.compactMap { id in
                let end = withdrawn.contains(id) ? #""state":"withdrawn""# : ends[id]
                return end.map { #"{"id":"\#(id)",\#($0)}"# }
            }
            unapprovable.subtract(withdrawn)
            func list(_ found: Set<String>) -> String {
                ids.filter(found.contains).map { #""\#($0)""# }.joined(separator: ",")
            }
            return (
                200,
                #"{"ended":[\#(ended.joined(separator: ","))],"#
                    + #""unapprovable":[\#(list(unapprovable))],"#
                    + #""withoutDevice":[\#(list(withoutDevice))],"unknown":[]}"#
            )
        }
        let parts = call.target.split(separator: "/")
        guard parts.count > 2 else { return (500, "") }
        let id = String(parts[parts.count - 2])
        if ends[id] != nil { return (409, #"{"code":"transactionAlreadyDecided"}"#) }
        switch parts.last {
        case "withdrawal":
            withdrawn.insert(id)
            return (200, "{}")
        case "notifications":
            let isLast = notifications.count == 1
            return (200, isLast ? notifications[0] : notifications.removeFirst())
        default: return (500, "")
        }
    }
}
