package import Cryptography
package import OneTimePassword

/// What a code of the device API is asked for.
package enum InBandQuestion: Equatable, Sendable {
    case decision(TransactionHash, Decision, TypedNumber?)
    /// Over the SHA-256 of what is signed at a login, the bank's challenge in it.
    case login(Digest)
    /// Whether the PIN is right, as a further account needs to know.
    case pinCheck
    /// Over the transcript of the whole rekey.
    case rekey(Digest)
}

extension InBandQuestion {
    /// 64 lower-case hexadecimal digits that no other purpose, credential, generation, epoch or
    /// body has.
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
