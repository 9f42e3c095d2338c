import Cryptography
import TransactionApproval

/// A record with a MAC under the store secret.
///
/// An attacker who can only write the vault cannot change the server or lower the PIN cost. The MAC
/// covers no data that depends on the PIN.
struct SealedRecord {
    private static let macByteCount = 32
    static let maximumByteCount = AccountRecord.maximumByteCount + macByteCount

    let record: AccountRecord
    private let mac: Digest

    init(_ contents: [UInt8]) throws(AccountRecord.Failure) {
        let length = contents.count - Self.macByteCount
        guard length >= 0, let mac = Digest(sha256: Array(contents.suffix(Self.macByteCount)))
        else { throw .damaged }
        record = try AccountRecord(Array(contents.prefix(length)))
        self.mac = mac
    }

    init(_ account: OpenAccount) throws(CryptographyFailure) {
        record = account.record
        mac = try record.mac(under: account.secrets)
    }

    var contents: [UInt8] { record.bytes + mac.array }

    func isAuthentic(under secrets: DeviceSecrets) throws(Vault.Failure) -> Bool {
        try translatingSystemFailure(record.mac(under: secrets) == mac, to: Vault.Failure.system)
    }
}

extension AccountRecord {
    fileprivate func mac(under secrets: DeviceSecrets) throws(CryptographyFailure) -> Digest {
        let use = FieldWriter(.vaultRecord).bytes
        let key = try HKDF.expand(from: secrets.storeSecret, info: use.span, byteCount: 32)
        let message = bytes
        return try HMAC(.sha256, key: key).authenticate(message.span)
    }
}
