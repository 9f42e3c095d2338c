/// What is wrong, and where.
package struct AuditFinding: Equatable, Sendable {
    package enum Fault: Equatable, Sendable {
        /// No record has this form.
        case malformed
        /// Another number than the one that comes next: something is missing, extra, or moved.
        case outOfSequence
        /// Something in it, or before it, is not what its hash was made of.
        case brokenLink
        /// The store's head is not this last record.
        case endsElsewhere
        /// The journal saw another record here; they may differ from the one after `last` on.
        case forked(after: UInt64)
        /// A row does not hold what this record, the last about it, says.
        case contradicted(row: String)
        /// What this record wrote over in a row was not what the trail says of it until then.
        case wroteOver(row: String)
        /// A row is there that no record made.
        case unrecorded(row: String)
        /// The row that this record, the last about it, tells of is not there.
        case missing(row: String)
        /// The store is a backup that was not restored.
        case unrestored
    }

    /// Of the record; 0 where a row has no record at all.
    package let sequence: UInt64
    package let fault: Fault
}

/// What an audit found.
package struct AuditReport: Equatable, Sendable {
    /// How many records follow each other as they must, from the first on.
    package internal(set) var checked: UInt64 = 0
    /// Those of the trail, then those of the tables one by one, at most `maximumFindings`; neither the
    /// trail is read on after a record that does not follow, nor the tables.
    package internal(set) var findings: [AuditFinding] = []
    /// The trail up to where the journal has a signature over it; nil where none was asked, or none is
    /// over this trail.
    package internal(set) var vouched: AuditHead?
    /// The records of restores, at each of which a part of the trail may have been given up.
    package internal(set) var restores: [AuditRecord] = []

    static let maximumFindings = 100

    package var isClean: Bool { findings.isEmpty }

    mutating func add(_ fault: AuditFinding.Fault, at sequence: UInt64) {
        guard findings.count < Self.maximumFindings else { return }
        findings.append(AuditFinding(sequence: sequence, fault: fault))
    }
}
