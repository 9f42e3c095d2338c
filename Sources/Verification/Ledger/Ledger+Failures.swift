import TransactionApproval

/// Wrong codes, where they are counted: at a credential, or at that of another device of the person.
extension Ledger {
    func save(
        _ failures: FailureCount,
        replacing old: FailureCount,
        of kind: CredentialKind,
        on device: DeviceID
    ) throws(StoreFailure) {
        let key = [SQLValue(device), .integer(kind.stored)]
        let values: [SQLValue] = .failureCount(failures)
        try change(Self.updateFailures, key + values)
        try trace(.failures, key, held: .failureCount(old), holds: values)
    }

    /// The other credentials that count their wrong codes together with this one.
    package func others(
        countingWith state: CredentialState
    ) throws(StoreFailure) -> [CredentialState] {
        let (kind, counting) = (state.credential.kind, state.countedWith ?? state.device.id)
        var others: [CredentialState] = []
        for row in try connection.rows(
            Self.selectCountingWith,
            [SQLValue(counting), .integer(kind.stored), SQLValue(state.device.id)]
        ) {
            let device: DeviceID = try row.identifier(0)
            if let other = try credentialState(kind, on: device) { others.append(other) }
        }
        return others
    }

    private static let updateFailures = Statement(
        """
        UPDATE credentials SET failures_in_a_row = $3, locks_in_a_row = $4, locked_until = $5,
            blocked = $6, failures = $7
        WHERE device = $1 AND kind = $2
        """
    )
    private static let selectCountingWith = Statement(
        """
        SELECT device FROM credentials
        WHERE kind = $2 AND (device = $1 OR counted_with = $1) AND device <> $3
        ORDER BY device
        """
    )
}

extension [SQLValue] {
    fileprivate static func failureCount(_ count: FailureCount) -> [SQLValue] {
        let end: Timestamp? = if case .until(let end) = count.lock { end } else { nil }
        return [
            .integer(Int64(count.inARow)), .integer(Int64(count.locksInARow)), SQLValue(end),
            .integer(count.lock == .permanent ? 1 : 0), .moments(count.moments),
        ]
    }
}

extension Row {
    func failureCount(_ column: Int) throws(StoreFailure) -> FailureCount {
        let end = try optionalMoment(column + 2)
        let isBlocked = try integer(column + 3) != 0
        return FailureCount(
            inARow: Int(try integer(column)),
            locksInARow: Int(try integer(column + 1)),
            moments: try moments(column + 4),
            lock: isBlocked ? .permanent : end.map { .until($0) } ?? .none
        )
    }
}

// MARK: Moments as they are stored

extension SQLValue {
    /// One after the other in one value.
    static func moments(_ moments: [Timestamp]) -> SQLValue {
        var writer = FieldWriter()
        for moment in moments { writer.append(moment) }
        return .bytes(writer.bytes)
    }
}

extension Row {
    func moments(_ column: Int) throws(StoreFailure) -> [Timestamp] {
        let stored = try bytes(column)
        guard !stored.isEmpty else { return [] }
        var reader = FieldReader(stored)
        var moments: [Timestamp] = []
        while reader.offset < stored.count {
            // Which byte is wrong does not matter: the row is damaged.
            guard let moment = try? reader.moment() else { throw .damaged }
            moments.append(moment)
        }
        return moments
    }
}
