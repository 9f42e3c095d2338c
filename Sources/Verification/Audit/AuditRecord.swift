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
    /// SHA-256 of the hash of the record before, the number, and the digest of all other values.
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
        let moment = max(moment, now)
        let digest = try AuditRecord.digest(of: event, with: traces, by: actor, at: moment)
        return AuditRecord(
            sequence: sequence + 1,
            moment: moment,
            actor: actor,
            event: event,
            traces: traces,
            hash: try AuditRecord.hash(sequence: sequence + 1, digest: digest, after: hash)
        )
    }

    /// Whether `record` is the next one, and unchanged.
    package func precedes(_ record: AuditRecord) throws(CryptographyFailure) -> Bool {
        guard record.sequence == sequence + 1, record.moment >= moment else { return false }
        let expected = try AuditRecord.hash(
            sequence: record.sequence,
            digest: record.digest(),
            after: hash
        )
        return record.hash == expected
    }
}

extension AuditRecord {
    /// For about 50,000 changed rows.
    static let maximumBytesOfTraces = 7 << 20

    /// The hash of a record.
    ///
    /// An auditor who must not see a record needs only its digest.
    static func hash(
        sequence: UInt64,
        digest: [UInt8],
        after previous: [UInt8]
    ) throws(CryptographyFailure) -> [UInt8] {
        var writer = FieldWriter(reserving: 128)
        writer.append("countersign audit 2")
        writer.append(previous)
        writer.append(sequence)
        writer.append(digest)
        return try writer.sha256().array
    }

    /// SHA-256 of everything but the number and the hash.
    func digest() throws(CryptographyFailure) -> [UInt8] {
        try Self.digest(of: event, with: traces, by: actor, at: moment)
    }

    fileprivate static func digest(
        of event: Event,
        with traces: [UInt8],
        by actor: Actor,
        at moment: Timestamp
    ) throws(CryptographyFailure) -> [UInt8] {
        var writer = FieldWriter()
        writer.append("countersign audit record 1")
        writer.append(moment)
        writer.append(contentOf: event, with: traces, by: actor)
        return try writer.sha256().array
    }
}

extension FieldWriter {
    fileprivate mutating func append(
        contentOf event: Event,
        with traces: [UInt8],
        by actor: Actor
    ) {
        append(actor.text)
        append(event.kind.rawValue)
        append(event.concern?.enterprise.text ?? "")
        append(event.account?.key.type.text ?? "")
        append(event.account?.key.id.text ?? "")
        append(event.subject)
        append(event.detail)
        append(traces)
    }
}
