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
            credential: try Credential(row, kind, on: device),
            failures: try row.failureCount(7),
            countedWith: try row.optionalBytes(6).map { DeviceID(checked: $0) }
        )
    }

    /// All credentials in the order of device and kind, some at a time.
    func credentials(
        after last: (device: DeviceID, kind: CredentialKind)?,
        limit: Int
    ) throws(StoreFailure) -> [Credential] {
        let key: [SQLValue] =
            last.map { [SQLValue($0.device), .integer($0.kind.stored)] } ?? [
                .bytes([]), .integer(0),
            ]
        return try connection.rows(Self.selectCredentials, key + [.integer(Int64(limit))])
            .map { row throws(StoreFailure) in
                try Credential(row, row.credentialKind(7), on: row.identifier(6))
            }
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

    /// The credential whose codes somebody reads off this device.
    package func typedCredentialState(
        on id: DeviceID
    ) throws(StoreFailure) -> CredentialState? {
        guard let device = try device(id) else { return nil }
        return try credentialState(device.kind.typedCredential, on: id)
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
        if new.device != old.device { try save(new.device) }
    }

    /// All credentials of a device.
    package func credentialStates(on device: DeviceID) throws(StoreFailure) -> [CredentialState] {
        var states: [CredentialState] = []
        for kind in CredentialKind.allCases {
            if let state = try credentialState(kind, on: device) { states.append(state) }
        }
        return states
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

    private static let selectCredential = Statement(
        """
        SELECT id, generation, counter, standing, confirmed_in, seed, counted_with,
            failures_in_a_row, locks_in_a_row, locked_until, blocked, failures
        FROM credentials WHERE device = $1 AND kind = $2
        """
    )
    private static let selectCredentials = Statement(
        """
        SELECT id, generation, counter, standing, confirmed_in, seed, device, kind
        FROM credentials WHERE (device, kind) > ($1, $2) ORDER BY device, kind LIMIT $3
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
    private static let selectCountingWith = Statement(
        """
        SELECT device FROM credentials
        WHERE kind = $2 AND (device = $1 OR counted_with = $1) AND device <> $3
        ORDER BY device
        """
    )
}

extension Credential {
    fileprivate init(
        _ row: Row,
        _ kind: CredentialKind,
        on device: DeviceID
    ) throws(StoreFailure) {
        self.init(
            id: try row.identifier(0),
            device: device,
            kind: kind,
            generation: Generation(try row.number(1)),
            counter: Counter(try row.number(2)),
            standing: try row.value(3),
            confirmedIn: Epoch(try row.number(4)),
            seed: try row.sealedValue(5)
        )
    }
}

extension Row {
    func credentialKind(_ column: Int) throws(StoreFailure) -> CredentialKind {
        let stored = try integer(column)
        guard let kind = CredentialKind.allCases.first(where: { $0.stored == stored }) else {
            throw .damaged
        }
        return kind
    }
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
