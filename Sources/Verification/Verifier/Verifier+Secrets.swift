import Cryptography
import FailureTranslation
import OneTimePassword
import Sealing
import Storage
import TransactionApproval

extension Verifier {
    func seal(
        _ seed: borrowing CredentialSeed,
        of credential: CredentialContext,
        on device: DeviceID,
        for account: AccountReference
    ) throws(Failure) -> SealedValue {
        try seed.withBytes { bytes throws(Failure) in
            try seal(bytes, for: .seed(of: credential, on: device, for: account))
        }
    }

    func seal(
        _ secret: Span<UInt8>,
        for owner: SealOwner
    ) throws(Failure) -> SealedValue {
        try translating(keyRing.seal(secret, for: owner), to: Failure.init(opening:))
    }

    /// Names the row of the value if another program changed it.
    func open(
        _ value: SealedValue,
        for owner: SealOwner,
        in table: Table,
        _ key: @autoclosure () -> [SQLValue]
    ) throws(Failure) -> SecureBytes {
        do throws(KeyEncryptionKeys.Failure) {
            return try keyRing.keys(opening: value).open(value, for: owner)
        } catch .notAuthentic {
            let failure = StoreFailure.forged(row: table.description(of: key()))
            // Some callers open it outside of `read` and `write`, which note other failures.
            forgeries.note(failure)
            throw .store(failure)
        } catch {
            throw Failure(opening: error)
        }
    }

    /// Nil for a token, because its secret cannot make in-band codes.
    func openSeed(of state: CredentialState) throws(Failure) -> CredentialSeed? {
        if case .token = state.device.kind { return nil }
        return try openInstallationSeed(of: state)
    }

    private func openInstallationSeed(of state: CredentialState) throws(Failure) -> CredentialSeed {
        guard let seed = CredentialSeed(try openSecret(of: state)) else {
            throw .sealedRecord(.notAuthentic)
        }
        return seed
    }

    /// The keys that check typed codes.
    func openTypedKeys(of state: CredentialState) throws(Failure) -> TypedCodeCheck.Keys {
        if case .token(let suite) = state.device.kind {
            return .token(try openTokenSecret(of: state), suite, of: state.context)
        }
        let seed = try openInstallationSeed(of: state)
        return .installation(
            try translating(TypedKeys(of: state.context, seed: seed), to: Failure.system)
        )
    }

    private func openTokenSecret(of state: CredentialState) throws(Failure) -> Secret {
        let bytes = try openSecret(of: state)
        return try bytes.withBytes { bytes throws(Failure) in
            try translating(Secret(copying: bytes), to: Failure.init(_:))
        }
    }

    /// The unsealed bytes of a credential's secret.
    func openSecret(of state: CredentialState) throws(Failure) -> SecureBytes {
        try open(
            state.credential.seed,
            for: state.secretOwner(),
            in: .credentials,
            [SQLValue(state.device.id), .integer(state.credential.kind.stored)]
        )
    }

    /// The number that the bank shows for a transaction; nil if the person types no number.
    func openNumber(of record: TransactionRecord) throws(Failure) -> TypedNumber? {
        guard let sealed = record.number else { return nil }
        let bytes = try open(
            sealed,
            for: .number(of: record.id, for: record.account),
            in: .transactions,
            [SQLValue(record.id)]
        )
        let digits = bytes.withBytes { String(decoding: $0.array, as: UTF8.self) }
        guard let number = TypedNumber(digits) else { throw .sealedRecord(.notAuthentic) }
        return number
    }
}

extension Verifier.Failure {
    init(opening failure: KeyEncryptionKeys.Failure) {
        if case .system(let failure) = failure {
            self = .system(failure)
        } else {
            self = .sealedRecord(failure)
        }
    }

    /// A stored secret without the right form was changed.
    init(_ failure: Secret.Failure) {
        if case .system(let failure) = failure {
            self = .system(failure)
        } else {
            self = .sealedRecord(.notAuthentic)
        }
    }
}
