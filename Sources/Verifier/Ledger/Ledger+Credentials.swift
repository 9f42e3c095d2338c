import OneTimePassword
package import TransactionApproval

/// A credential's row: its own wrong codes, and where those that count are.
package struct CredentialRecord: Equatable, Sendable {
    package var credential: Credential
    package var failures: FailureCount
    /// The device whose credential of the same kind counts the wrong codes of this one; nil where it
    /// counts its own.
    package let countedWith: DeviceID?
}

extension Ledger {
    package func credential(
        _ kind: CredentialKind,
        on device: DeviceID
    ) throws(StoreFailure) -> CredentialRecord? {
        guard
            let row = try row(Self.selectCredential, [SQLValue(device), .integer(kind.stored)])
        else { return nil }
        return CredentialRecord(
            credential: Credential(
                id: try row.identifier(0),
                device: device,
                kind: kind,
                generation: Generation(try row.number(1)),
                counter: Counter(try row.number(2)),
                standing: try row.value(3),
                confirmedIn: Epoch(try row.number(4)),
                seed: try row.sealedValue(5)
            ),
            failures: try row.failureCount(7),
            countedWith: try row.optionalBytes(6).map { DeviceID(checked: $0) }
        )
    }

    /// A credential with its device and the wrong codes that count for it.
    package func credentialState(
        _ kind: CredentialKind,
        on id: DeviceID
    ) throws(StoreFailure) -> CredentialState? {
        guard
            let device = try device(id), let record = try credential(kind, on: id)
        else { return nil }
        var failures = record.failures
        if let other = record.countedWith {
            guard let counting = try credential(kind, on: other) else { throw .damaged }
            failures = counting.failures
        }
        return CredentialState(
            device: device,
            credential: record.credential,
            failures: failures,
            countedWith: record.countedWith
        )
    }

    package func add(_ state: CredentialState) throws(StoreFailure) {
        let credential = state.credential
        try change(
            Self.insertCredential,
            [
                SQLValue(credential.device), .integer(credential.kind.stored),
                SQLValue(credential.id), SQLValue(credential.generation.value),
                SQLValue(credential.counter.value), .integer(Int64(credential.standing.rawValue)),
                SQLValue(credential.confirmedIn.value), .bytes(credential.seed.stored),
                SQLValue(state.countedWith?.bytes), .bytes([]),
            ]
        )
    }

    /// Writes what a rule changed, and nothing that it left alone.
    package func save(
        _ new: CredentialState,
        replacing old: CredentialState
    ) throws(StoreFailure) {
        if new.credential != old.credential { try save(new.credential) }
        if new.failures != old.failures {
            try save(new.failures, of: new.credential.kind, on: new.countedWith ?? new.device.id)
        }
        guard new.device != old.device else { return }
        try save(new.device)
        guard new.device.standing == .blocked else { return }
        try blockDevices(countingWith: new.countedWith ?? new.device.id, new.credential.kind)
    }

    private func save(_ credential: Credential) throws(StoreFailure) {
        try change(
            Self.updateCredential,
            [
                SQLValue(credential.device), .integer(credential.kind.stored),
                SQLValue(credential.generation.value), SQLValue(credential.counter.value),
                .integer(Int64(credential.standing.rawValue)),
                SQLValue(credential.confirmedIn.value), .bytes(credential.seed.stored),
            ]
        )
    }

    private func save(
        _ failures: FailureCount,
        of kind: CredentialKind,
        on device: DeviceID
    ) throws(StoreFailure) {
        try change(
            Self.updateFailures,
            [SQLValue(device), .integer(kind.stored)] + .failureCount(failures)
        )
    }

    /// Suspends the devices whose PIN is the one that was just guessed at too often.
    private func blockDevices(
        countingWith device: DeviceID,
        _ kind: CredentialKind
    ) throws(StoreFailure) {
        _ = try connection.run(
            Self.blockDevices,
            [SQLValue(device), .integer(kind.stored)]
        )
    }

    private static let selectCredential = Statement(
        """
        SELECT id, generation, counter, standing, confirmed_in, seed, counted_with,
            failures_in_a_row, locks_in_a_row, locked_until, blocked, failures
        FROM credentials WHERE device = $1 AND kind = $2
        """
    )
    private static let insertCredential = Statement(
        """
        INSERT INTO credentials (device, kind, id, generation, counter, standing, confirmed_in,
            seed, counted_with, failures_in_a_row, locks_in_a_row, locked_until, blocked, failures)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, NULL, 0, $10)
        """
    )
    private static let updateCredential = Statement(
        """
        UPDATE credentials SET generation = $3, counter = $4, standing = $5, confirmed_in = $6,
            seed = $7
        WHERE device = $1 AND kind = $2 AND counter <= $4
        """
    )
    private static let updateFailures = Statement(
        """
        UPDATE credentials SET failures_in_a_row = $3, locks_in_a_row = $4, locked_until = $5,
            blocked = $6, failures = $7
        WHERE device = $1 AND kind = $2
        """
    )
    private static let blockDevices = Statement(
        """
        UPDATE devices SET standing = 2
        WHERE standing = 1 AND (id = $1 OR id IN
            (SELECT device FROM credentials WHERE counted_with = $1 AND kind = $2))
        """
    )
}

extension CredentialKind {
    var stored: Int64 {
        switch self {
        case .user: 1
        case .device: 2
        case .biometric: 3
        }
    }
}

// MARK: Wrong codes

extension [SQLValue] {
    fileprivate static func failureCount(_ count: FailureCount) -> [SQLValue] {
        var moments = FieldWriter()
        for moment in count.moments { moments.append(moment) }
        let end: Timestamp? = if case .until(let end) = count.lock { end } else { nil }
        return [
            .integer(Int64(count.inARow)), .integer(Int64(count.locksInARow)), SQLValue(end),
            .integer(count.lock == .permanent ? 1 : 0), .bytes(moments.bytes),
        ]
    }
}

extension Row {
    fileprivate func failureCount(_ column: Int) throws(StoreFailure) -> FailureCount {
        let end = try optionalMoment(column + 2)
        let isBlocked = try integer(column + 3) != 0
        return FailureCount(
            inARow: Int(try integer(column)),
            locksInARow: Int(try integer(column + 1)),
            moments: try moments(column + 4),
            lock: isBlocked ? .permanent : end.map { .until($0) } ?? .none
        )
    }

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
