import Storage
import TransactionApproval

/// Wrong codes, which a credential or another device of the same person counts.
extension Ledger {
    func save(
        _ failures: FailureCount,
        of kind: CredentialKind,
        on device: DeviceID
    ) throws(StoreFailure) {
        let key: NamedValues = [.device: SQLValue(device), .kind: .integer(kind.stored)]
        let values = key + .failureCount(failures)
        try update(values, .failures, by: Self.updateFailures)
    }

    /// The other devices whose credentials count their wrong codes together with this one.
    ///
    /// It checks no tag, and leaves out a name that no device can have.
    func others(countingWith state: CredentialState) throws(StoreFailure) -> [DeviceID] {
        let (kind, counting) = (state.credential.kind, state.countingDevice ?? state.device.id)
        let values = [SQLValue(counting), .integer(kind.stored), SQLValue(state.device.id)]
        return try connection.rows(Self.selectCountingWith, values).compactMap { row in
            // `try?`: another program wrote the name.
            try? row.identifier(.device)
        }
    }

    /// The credential of one of these devices.
    func other(
        _ device: DeviceID,
        countingWith state: CredentialState
    ) throws(StoreFailure) -> CredentialState {
        let (kind, counting) = (state.credential.kind, state.countingDevice ?? state.device.id)
        let key = [SQLValue(device), .integer(kind.stored)]
        guard
            let other = try credentialState(kind, on: device),
            other.device.id == counting || other.countingDevice == counting
        else { throw .forged(row: Table.credentials.description(of: key)) }
        return other
    }

    private static let updateFailures = Statement(
        """
        UPDATE credentials SET \(set: TracedPart.failures.columns + [.failuresTag])
        WHERE \(match: Table.credentials.key)
        """
    )
    private static let selectCountingWith = Statement(
        """
        SELECT \([.device]) FROM credentials
        WHERE kind = $2 AND (device = $1 OR counting_device = $1) AND device <> $3
        ORDER BY device
        """
    )
}

extension NamedValues {
    static func failureCount(_ count: FailureCount) -> NamedValues {
        let end: Timestamp? = if case .until(let end) = count.lock { end } else { nil }
        return [
            .consecutiveFailures: SQLValue(count.consecutiveFailures),
            .consecutiveLocks: SQLValue(count.consecutiveLocks),
            .lockedUntil: SQLValue(end),
            .blocked: SQLValue(count.lock == .permanent),
            .failureTimes: .moments(count.moments),
        ]
    }
}

extension Row {
    func failureCount() throws(StoreFailure) -> FailureCount {
        let end = try optionalMoment(.lockedUntil)
        return FailureCount(
            consecutiveFailures: Int(try integer(.consecutiveFailures)),
            consecutiveLocks: Int(try integer(.consecutiveLocks)),
            moments: try moments(.failureTimes),
            lock: try flag(.blocked) ? .permanent : end.map { .until($0) } ?? .none
        )
    }
}
