import Cryptography
import OneTimePassword
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
        do throws(KeyEncryptionKeys.Failure) {
            return try keys.seal(secret, for: owner)
        } catch {
            throw .sealedRecord(error)
        }
    }

    func open(_ value: SealedValue, for owner: SealOwner) throws(Failure) -> SecureBytes {
        do throws(KeyEncryptionKeys.Failure) {
            return try keys.open(value, for: owner)
        } catch {
            throw .sealedRecord(error)
        }
    }

    func openSeed(of state: CredentialState) throws(Failure) -> CredentialSeed {
        let owner = SealOwner.seed(
            of: state.context,
            on: state.device.id,
            for: state.device.account
        )
        guard let seed = CredentialSeed(try open(state.credential.seed, for: owner)) else {
            throw .sealedRecord(.notAuthentic)
        }
        return seed
    }

    /// The number that the bank shows for a transaction; nil where none is asked for.
    func openNumber(of record: TransactionRecord) throws(Failure) -> TypedNumber? {
        guard let sealed = record.number else { return nil }
        let bytes = try open(sealed, for: .number(of: record.id, for: record.account))
        let digits = bytes.withBytes { String(decoding: $0.array, as: UTF8.self) }
        guard let number = TypedNumber(digits) else { throw .sealedRecord(.notAuthentic) }
        return number
    }
}
