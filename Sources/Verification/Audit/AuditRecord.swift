package import Cryptography
package import TransactionApproval

/// One record of the audit trail: an event, its time, its actor, and the hash of the record before.
package struct AuditRecord: Equatable, Sendable {
    /// Starts at 1, without gaps.
    package let sequence: UInt64
    package let moment: Timestamp
    package let actor: Actor
    package let event: Event
    /// Digests of the rows that were written with the record.
    package let traces: [UInt8]
    /// SHA-256 of all values above and the hash of the record before.
    package let hash: [UInt8]
}

/// The cause of a change, by its name in the trail.
package struct Actor: Equatable, Sendable {
    package let text: String

    /// An operator at the verifier's command line.
    package static let operatorCommand = Actor(checked: "operator")
    /// The verifier itself, for example after a deadline.
    package static let verifier = Actor(checked: "verifier")

    package static func device(_ id: DeviceID) -> Actor { Actor(checked: "device:\(id)") }

    /// A client with this token of the bank's API.
    package static func token(name: String) -> Actor { Actor(checked: "token:\(name)") }

    private init(checked text: String) {
        self.text = text
    }

    /// Returns nil if the text does not name an actor.
    package init?(_ text: String) {
        let isName =
            switch text {
            case "operator", "verifier": true
            case let text where text.hasPrefix("device:"):
                DeviceID(String(text.dropFirst("device:".count))) != nil
            default: text.hasPrefix("token:")
            }
        guard isName else { return nil }
        self.text = text
    }
}

/// The end of an audit trail, from which the next record follows.
package struct AuditHead: Equatable, Sendable {
    package let sequence: UInt64
    package let moment: Timestamp
    package let hash: [UInt8]
}

extension AuditHead {
    /// The head of an empty trail.
    package static let empty = AuditHead(
        sequence: 0,
        moment: .earliest,
        hash: [UInt8](repeating: 0, count: 32)
    )

    package init(_ record: AuditRecord) {
        self.init(sequence: record.sequence, moment: record.moment, hash: record.hash)
    }

    /// The next record.
    ///
    /// Its time is never earlier than this one, even if the clock is.
    package func following(
        _ event: Event,
        with traces: [UInt8],
        by actor: Actor,
        at now: Timestamp
    ) throws(CryptographyFailure) -> AuditRecord {
        let sequence = sequence + 1
        let moment = max(moment, now)
        return AuditRecord(
            sequence: sequence,
            moment: moment,
            actor: actor,
            event: event,
            traces: traces,
            hash: try hash(of: event, with: traces, by: actor, sequence: sequence, moment: moment)
        )
    }

    /// Whether `record` is the next one, and unchanged.
    package func precedes(_ record: AuditRecord) throws(CryptographyFailure) -> Bool {
        let expected = try hash(
            of: record.event,
            with: record.traces,
            by: record.actor,
            sequence: record.sequence,
            moment: record.moment
        )
        return record.sequence == sequence + 1 && record.moment >= moment && record.hash == expected
    }

    private func hash(
        of event: Event,
        with traces: [UInt8],
        by actor: Actor,
        sequence: UInt64,
        moment: Timestamp
    ) throws(CryptographyFailure) -> [UInt8] {
        var writer = FieldWriter()
        writer.append("countersign audit 1")
        writer.append(hash)
        writer.append(sequence)
        writer.append(moment)
        writer.append(actor.text)
        writer.append(event.kind.rawValue)
        writer.append(event.account?.enterprise.text ?? "")
        writer.append(event.account?.key.type.text ?? "")
        writer.append(event.account?.key.id.text ?? "")
        writer.append(event.subject)
        writer.append(event.detail)
        writer.append(traces)
        return try HashAlgorithm.sha256.digest(of: writer.bytes.span).array
    }
}
