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
            failures: try row.failureCount(8),
            countedWith: try row.optionalBytes(7).map { DeviceID(checked: $0) }
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
                SQLValue(credential.counter.value), .integer(Int64(credential.status.rawValue)),
                SQLValue(credential.confirmedIn.value), .bytes(try stored(credential.seed)),
                SQLValue(state.countedWith?.bytes), .bytes([]),
            ]
        )
        try traceCredential(of: state)
    }

    /// Writes what a rule changed, and nothing that it left alone.
    package func save(
        _ new: CredentialState,
        replacing old: CredentialState
    ) throws(StoreFailure) {
        if new.credential != old.credential {
            try save(new.credential)
            try traceCredential(of: new, replacing: old)
        }
        if new.failures != old.failures {
            try save(
                new.failures,
                replacing: old.failures,
                of: new.credential.kind,
                on: new.countedWith ?? new.device.id
            )
        }
        if new.device != old.device { try save(new.device, replacing: old.device) }
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
                .integer(Int64(credential.status.rawValue)),
                SQLValue(credential.confirmedIn.value), .bytes(try stored(credential.seed)),
                .integer(credential.isCopyNoticed ? 1 : 0),
            ]
        )
    }

    private func traceCredential(
        of state: CredentialState,
        replacing old: CredentialState? = nil
    ) throws(StoreFailure) {
        let credential = state.credential
        try trace(
            .credential,
            [SQLValue(credential.device), .integer(credential.kind.stored)],
            held: old?.traced,
            holds: state.traced
        )
    }

    private static let selectCredential = Statement(
        """
        SELECT id, generation, counter, standing, confirmed_in, seed, copy_noticed, counted_with,
            failures_in_a_row, locks_in_a_row, locked_until, blocked, failures
        FROM credentials WHERE device = $1 AND kind = $2
        """
    )
    private static let insertCredential = Statement(
        """
        INSERT INTO credentials (device, kind, id, generation, counter, standing, confirmed_in,
            seed, copy_noticed, counted_with, failures_in_a_row, locks_in_a_row, locked_until,
            blocked, failures)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, 0, 0, NULL, 0, $10)
        """
    )
    private static let updateCredential = Statement(
        """
        UPDATE credentials SET generation = $3, counter = $4, standing = $5, confirmed_in = $6,
            seed = $7, copy_noticed = $8
        WHERE device = $1 AND kind = $2 AND counter <= $4
        """
    )
}

extension CredentialState {
    fileprivate var traced: [SQLValue] {
        [
            SQLValue(credential.id), SQLValue(credential.generation.value),
            SQLValue(credential.counter.value), .integer(Int64(credential.status.rawValue)),
            SQLValue(credential.confirmedIn.value), .integer(credential.isCopyNoticed ? 1 : 0),
            SQLValue(countedWith?.bytes),
        ]
    }
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
            status: try row.value(3),
            confirmedIn: Epoch(try row.number(4)),
            seed: try row.sealedValue(5),
            isCopyNoticed: try row.integer(6) != 0
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
