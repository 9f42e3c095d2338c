package import Cryptography
package import TransactionApproval

/// One link of the audit trail: an event, when it was, who caused it, and the link before it.
package struct AuditRecord: Equatable, Sendable {
    /// What a store's signed integer holds.
    package static let maximumSequence = UInt64(Int64.max)

    /// 1 for the first; there are no gaps.
    package let sequence: UInt64
    package let moment: Timestamp
    package let actor: Actor
    package let event: Event
    /// What it says of the rows that were written with it, so that an audit finds each of them.
    package let traces: [UInt8]
    /// SHA-256 over all of the above and the hash of the record before.
    package let hash: [UInt8]

    package init(
        sequence: UInt64,
        moment: Timestamp,
        actor: Actor,
        event: Event,
        traces: [UInt8],
        hash: [UInt8]
    ) {
        self.sequence = sequence
        self.moment = moment
        self.actor = actor
        self.event = event
        self.traces = traces
        self.hash = hash
    }
}

/// Who caused a change, as the trail names them.
package struct Actor: Equatable, Sendable {
    package let text: String

    /// Somebody at the verifier's own command line.
    package static let operatorCommand = Actor(checked: "operator")
    /// The verifier itself, when a time was up.
    package static let verifier = Actor(checked: "verifier")

    package static func device(_ id: DeviceID) -> Actor { Actor(checked: "device:\(id)") }

    /// Whoever holds this token of the bank's API.
    package static func token(name: String) -> Actor { Actor(checked: "token:\(name)") }

    private init(checked text: String) {
        self.text = text
    }

    /// Nil where nobody is named like that.
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

/// Where an audit trail ends, which is all that the next record needs to know of it.
package struct AuditHead: Equatable, Sendable {
    package let sequence: UInt64
    package let moment: Timestamp
    package let hash: [UInt8]

    package init(sequence: UInt64, moment: Timestamp, hash: [UInt8]) {
        self.sequence = sequence
        self.moment = moment
        self.hash = hash
    }

    /// Of a trail without a record.
    package static let empty = AuditHead(
        sequence: 0,
        moment: .earliest,
        hash: [UInt8](repeating: 0, count: 32)
    )

    package init(_ record: AuditRecord) {
        self.init(sequence: record.sequence, moment: record.moment, hash: record.hash)
    }

    /// The record after this one; never older than it, whatever the clock says.
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
            hash: try hash(
                of: event,
                with: traces,
                by: actor,
                sequence: sequence,
                moment: moment
            )
        )
    }

    /// Whether `record` is the next one, unchanged.
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
