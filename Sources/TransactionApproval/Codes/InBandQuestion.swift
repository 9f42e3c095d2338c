package import Cryptography
package import OneTimePassword

/// The purpose and the content of an in-band code.
package enum InBandQuestion: Equatable, Sendable {
    case decision(TransactionHash, Decision, TypedNumber?)
    /// Over the SHA-256 of the signed data, which include the bank's challenge.
    case login(Digest)
    /// Used before another account uses the same PIN.
    case pinCheck
    case rekey(Digest)
}

extension InBandQuestion {
    /// 64 lower-case hexadecimal digits, unique for purpose, credential, generation, epoch and
    /// body.
    package func ocraQuestion(
        for credential: CredentialContext,
        in epoch: Epoch
    ) throws(SystemFailure) -> OCRAQuestion {
        var message = FieldWriter(label)
        message.append(credential)
        message.append(epoch)
        appendBody(to: &message)
        return try message.ocraQuestion()
    }

    private var label: Label {
        switch self {
        case .decision: .decision
        case .login: .login
        case .pinCheck: .pinCheck
        case .rekey: .rekey
        }
    }

    private func appendBody(to message: inout FieldWriter) {
        switch self {
        case .decision(let hash, let decision, let typedNumber):
            message.append(hash.bytes)
            message.append(decision.byte)
            message.append(typedNumber?.digits ?? "")
        case .login(let digest), .rekey(let digest): message.append(digest)
        case .pinCheck: break
        }
    }
}
