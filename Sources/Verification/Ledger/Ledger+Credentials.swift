import OneTimePassword
import Sealing
package import Storage
package import TransactionApproval

/// The row of a credential: its own wrong codes, and the device that counts for it.
package struct CredentialRecord: Equatable, Sendable {
    package var credential: Credential
    package var failures: FailureCount
    /// The device whose credential of the same kind counts the wrong codes of this one; nil if it
    /// counts its own.
    let countingDevice: DeviceID?
}

extension Ledger {
    package func credential(
        _ kind: CredentialKind,
        on device: DeviceID
    ) throws(StoreFailure) -> CredentialRecord? {
        guard let row = try row(Self.query(of: kind, on: device)) else { return nil }
        let key = [SQLValue(device), .integer(kind.stored)]
        try check(.credential, in: row, key: key)
        try check(.failures, in: row, key: key)
        return CredentialRecord(
            credential: try reading(row, of: .credentials, key) { row throws(StoreFailure) in
                try Credential(row, kind, on: device)
            },
            failures: try row.failureCount(),
            countingDevice: try row.optionalBytes(.countingDevice).map { DeviceID(checked: $0) }
        )
    }

    static func query(of kind: CredentialKind, on device: DeviceID) -> Query {
        Query(selectCredential, [SQLValue(device), .integer(kind.stored)])
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
        if let other = record.countingDevice {
            guard let counting = try credential(kind, on: other) else { throw .damaged }
            failures = counting.failures
        }
        return CredentialState(
            device: device,
            credential: record.credential,
            failures: failures,
            countingDevice: record.countingDevice
        )
    }

    /// The credential whose codes a person reads from this device and types.
    package func typedCredentialState(on id: DeviceID) throws(StoreFailure) -> CredentialState? {
        guard let device = try device(id) else { return nil }
        return try credentialState(device.kind.typedCredential, on: id)
    }

    package func add(_ state: CredentialState) throws(StoreFailure) {
        _ = try stored(state.credential.seed)
        try add(state.stored + .failureCount(FailureCount()), .credential, .failures)
    }

    /// Writes only the parts that a rule changed.
    package func save(_ new: CredentialState, replacing old: CredentialState) throws(StoreFailure) {
        if new.credential != old.credential {
            _ = try stored(new.credential.seed)
            try update(new.stored, .credential, by: Self.updateCredential)
        }
        if new.failures != old.failures {
            try save(
                new.failures,
                of: new.credential.kind,
                on: new.countingDevice ?? new.device.id
            )
        }
        if new.device != old.device { try save(new.device) }
    }

    /// All credentials of a device.
    func credentialStates(on device: DeviceID) throws(StoreFailure) -> [CredentialState] {
        var states: [CredentialState] = []
        for kind in CredentialKind.allCases {
            if let state = try credentialState(kind, on: device) { states.append(state) }
        }
        return states
    }

    private static let selectCredential = Statement(
        "SELECT \(Table.credentials.values) FROM credentials WHERE \(match: Table.credentials.key)"
    )
    // A counter never moves back.
    private static let updateCredential = Statement(
        """
        UPDATE credentials
        SET \(set: [.generation, .counter, .status, .confirmedEpoch, .seed, .copyDetected, .tag])
        WHERE \(match: [.device, .kind]) AND counter <= \(valueOf: .counter)
        """
    )
}

extension CredentialState {
    /// Without the wrong codes, which may be counted in another row.
    fileprivate var stored: NamedValues {
        [
            .device: SQLValue(credential.device),
            .kind: .integer(credential.kind.stored),
            .id: SQLValue(credential.id),
            .generation: SQLValue(credential.generation.value),
            .counter: SQLValue(credential.counter.value),
            .status: SQLValue(credential.status),
            .confirmedEpoch: SQLValue(credential.confirmedEpoch.value),
            .seed: .bytes(credential.seed.stored),
            .copyDetected: SQLValue(credential.isCopyDetected),
            .countingDevice: SQLValue(countingDevice?.bytes),
        ]
    }
}

extension Credential {
    fileprivate init(_ row: Row, _ kind: CredentialKind, on device: DeviceID) throws(StoreFailure) {
        self.init(
            id: try row.identifier(.id),
            device: device,
            kind: kind,
            generation: Generation(try row.number(.generation)),
            counter: Counter(try row.number(.counter)),
            status: try row.value(.status),
            confirmedEpoch: Epoch(try row.number(.confirmedEpoch)),
            seed: try row.sealedValue(.seed),
            isCopyDetected: try row.flag(.copyDetected)
        )
    }
}

extension Row {
    func credentialKind() throws(StoreFailure) -> CredentialKind {
        let stored = try integer(.kind)
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
