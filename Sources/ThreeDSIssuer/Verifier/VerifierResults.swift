import StrictJSON
package import Transactions

extension Readiness.Report {
    init(_ document: JSONValue) throws(VerifierFailure) {
        guard case .boolean(let isReady)? = document["ready"],
            case .boolean(let isMuted)? = document["muted"]
        else { throw .unreadable }
        // A way that this version does not know cannot be requested by it.
        let ways = document["authentication"]?.elements.compactMap(\.text)
            .compactMap { AuthenticationType(rawValue: $0) }
        let seconds = try document.integer("retryAfterSeconds")
        // Earlier verifiers do not return it.
        let digits = try document.integer("numberMatchingDigits") ?? 0
        self.init(
            isReady: isReady,
            ways: (ways ?? []).reduce(into: []) { $0.insert(AuthenticationTypes($1)) },
            retryAfterSeconds: seconds,
            isMuted: isMuted,
            needsNumber: digits > 0,
            // Nor this.
            transactionSeconds: try document.integer("transactionSeconds")
        )
    }
}

/// A transaction that the verifier shows to the person.
package struct RequestedTransaction: Equatable, Sendable {
    package let id: TransactionID
    /// The digits that the person types on the device, if the policy requires them.
    package let number: String?

    /// From the store.
    init(id: TransactionID, number: String?) {
        self.id = id
        self.number = number
    }

    init(_ document: JSONValue) throws(VerifierFailure) {
        id = try document.transactionID("id")
        number = document["number"]?.text
    }
}

/// The result of another notification of a transaction.
package enum NotificationReport: Equatable, Sendable {
    case sent
    /// The last one was a moment ago.
    case tooSoon
    /// There were too many, or no device gets any.
    case refused
    /// The transaction has ended.
    case ended
    /// The verifier cannot be called now.
    case unavailable

    init(_ document: JSONValue) throws(VerifierFailure) {
        guard case .boolean(let isNotified)? = document["notified"] else { throw .unreadable }
        switch (isNotified, document["reason"]?.text) {
        case (true, _): self = .sent
        case (false, "tooSoon"): self = .tooSoon
        case (false, .some): self = .refused
        case (false, nil): throw .unreadable
        }
    }
}

/// Transactions of one call that no longer need to be awaited.
package struct TransactionEnds: Equatable, Sendable {
    package let ended: [TransactionEnd]
    /// They are pending, but no device can approve them now.
    package let unapprovable: [TransactionID]
    /// Those of `unapprovable` whose person has no device any more.
    package let withoutDevice: [TransactionID]
    /// The token does not see them.
    package let unknown: [TransactionID]
    /// Whether a newer verifier describes some of them otherwise; these remain awaited.
    let hasUnreadable: Bool

    init(_ document: JSONValue) throws(VerifierFailure) {
        let ends = try document.list("ended") { value throws(VerifierFailure) in
            // `hasUnreadable` reports it, and it stops no other one: `try?`.
            try? TransactionEnd(value)
        }
        ended = ends.compactMap { $0 }
        hasUnreadable = ended.count < ends.count
        unapprovable = try document.ids("unapprovable")
        // Earlier verifiers do not distinguish them.
        withoutDevice = document["withoutDevice"] == nil ? [] : try document.ids("withoutDevice")
        unknown = try document.ids("unknown")
    }
}

package struct TransactionEnd: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case approved(AuthenticationType)
        case rejected
        /// Rejected, because the person did not make the purchase.
        case suspected
        case expired
        /// By the bank, or by a restored store.
        case withdrawn
    }

    package let id: TransactionID
    package let state: State

    init(_ document: JSONValue) throws(VerifierFailure) {
        id = try document.transactionID("id")
        switch document["state"]?.text {
        case "approved":
            guard let way = document["approvedWith"]?.text.flatMap(AuthenticationType.init)
            else { throw .unreadable }
            state = .approved(way)
        case "rejected": state = document["rejectedFor"]?.text == "notMe" ? .suspected : .rejected
        case "expired": state = .expired
        case "withdrawn", "void": state = .withdrawn
        default: throw .unreadable
        }
    }
}

extension JSONValue {
    fileprivate func transactionID(_ name: String) throws(VerifierFailure) -> TransactionID {
        guard let id = self[name]?.text.flatMap({ TransactionID($0) }) else { throw .unreadable }
        return id
    }

    /// Nil if there is no such member.
    fileprivate func integer(_ name: String) throws(VerifierFailure) -> Int? {
        guard let value = self[name] else { return nil }
        guard case .number(let number) = value, let integer = number.integer(Int.self) else {
            throw .unreadable
        }
        return integer
    }

    fileprivate func ids(_ name: String) throws(VerifierFailure) -> [TransactionID] {
        try list(name) { value throws(VerifierFailure) in
            guard let id = value.text.flatMap({ TransactionID($0) }) else { throw .unreadable }
            return id
        }
    }

    fileprivate func list<Element>(
        _ name: String,
        _ read: (JSONValue) throws(VerifierFailure) -> Element
    ) throws(VerifierFailure) -> [Element] {
        guard case .array(let elements)? = self[name] else { throw .unreadable }
        var list: [Element] = []
        for element in elements { list.append(try read(element)) }
        return list
    }
}
