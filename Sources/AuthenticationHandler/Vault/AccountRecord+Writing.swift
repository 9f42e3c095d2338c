import Cryptography
import OneTimePassword
import TransactionApproval

extension AccountRecord {
    /// The first bytes of each file, in every version.
    static let opening = Array("CSVA".utf8)
    static let version: UInt16 = 1
    /// The policy is the largest part, and has its own limit.
    static let maximumByteCount = ActivationOffer.maximumPolicy + 4096

    /// The stored form, without the MAC at the end of the file.
    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.append(Self.version)
        writer.append(device)
        writer.append(place)
        writer.append(enterprise)
        writer.append(account.type)
        writer.append(account.id)
        writer.append(server.text)
        writer.append(agreementKey)
        writer.append(signingKey)
        writer.append(nextSigningKey?.uncompressedPoint ?? [])
        writer.append(state)
        writer.append(awaitsPINChange ? 1 : 0 as UInt8)
        writer.append(policy.bytes)
        writer.append(user)
        writer.append(deviceCredential)
        writer.append(biometric == nil ? 0 : 1 as UInt8)
        if let biometric { writer.append(biometric) }
        return Self.opening + writer.bytes
    }
}

extension FieldWriter {
    fileprivate mutating func append(_ state: AccountRecord.State) {
        switch state {
        case .pending(let commit):
            append(0 as UInt8)
            append(commit.activation)
            append(commit.claim)
            append(commit.deviceKey)
        case .active: append(1 as UInt8)
        }
    }

    fileprivate mutating func append(_ credential: CredentialRecord) {
        append(credential.id)
        append(credential.counter.value)
        append(credential.epoch)
        append(credential.ingredients)
        append(credential.proposed == nil ? 0 : 1 as UInt8)
        if let proposed = credential.proposed { append(proposed) }
    }

    private mutating func append(_ ingredients: SeedIngredients) {
        append(ingredients.generation)
        append(ingredients.share)
        append(ingredients.salt)
        append(UInt32(ingredients.cost.passes))
        append(UInt32(ingredients.cost.memoryKiB))
        append(UInt32(ingredients.cost.lanes))
    }
}
