import Cryptography
import OneTimePassword
import TransactionApproval
import Verification
import VerifierWorld

/// Every interface that takes a code.
enum Entry: CaseIterable {
    case approval, login, pinCheck, rekey, rekeyOfDevice, typed, typedOverData, resynchronisation
    case consent, rejection, biometricLogin

    /// The credential that makes its codes.
    var kind: CredentialKind {
        switch self {
        case .approval, .login, .pinCheck, .rekey, .rekeyOfDevice, .typed, .typedOverData,
            .resynchronisation:
            .user
        case .consent, .rejection: .device
        case .biometricLogin: .biometric
        }
    }

    /// The policy of a bank that accepts all of them.
    static let policy = """
        {"authentication": ["userPIN", "consent", "biometric"],
        "consentCeilings": [{"currency": "EUR", "minorUnits": 10000}]}
        """
}

extension Phone {
    typealias Message = @Sendable (Bank) async throws -> AttemptResult

    /// A message with a right code, which can be sent repeatedly.
    func message(_ entry: Entry, in bank: Bank) async throws -> Message {
        switch entry {
        case .approval: try await decision(.approve, by: .userPIN, in: bank)
        case .consent: try await decision(.approve, by: .consent, in: bank)
        case .rejection: try await decision(.reject(.noLongerWanted), by: .consent, in: bank)
        case .login: try await login(by: .userPIN, in: bank)
        case .biometricLogin: try await biometricLogin(in: bank)
        case .pinCheck:
            try await pinCheck(in: bank)
        case .rekey: try await rekeying(.user, in: bank)
        case .rekeyOfDevice: try await rekeying(.device, in: bank)
        case .typed: try await typing(over: nil, in: bank)
        case .typedOverData: try await typing(over: Array("limit 5000".utf8), in: bank)
        case .resynchronisation: try await resynchronising(in: bank)
        }
    }

    private func decision(
        _ decision: Decision,
        by type: AuthenticationType,
        in bank: Bank
    ) async throws -> Message {
        let payment = try await bank.pay()
        let hash = try TransactionHash(of: payment)
        let question = InBandQuestion.decision(hash, decision, nil)
        let attempt = try await attempt(type.credentialKind, over: question, in: bank)
        return {
            try await self.send(decision, on: payment, by: type, attempt, to: $0.verifier)
        }
    }

    private func login(by type: AuthenticationType, in bank: Bank) async throws -> Message {
        let question = InBandQuestion.login(try Digest(sha256: Phone.challenge).unwrapped())
        let attempt = try await attempt(type.credentialKind, over: question, in: bank)
        return { try await $0.verifier.logIn(over: Phone.challenge, by: type, attempt) }
    }

    private func biometricLogin(in bank: Bank) async throws -> Message {
        let addition = try await rekey(.biometric, in: bank)
        guard try await send(addition, in: bank) == .accepted(nil) else { throw Bank.Unexpected() }
        return try await login(by: .biometric, in: bank)
    }

    private func pinCheck(in bank: Bank) async throws -> Message {
        let attempt = try await attempt(over: .pinCheck, in: bank)
        return { try await $0.verifier.checkPIN(attempt) }
    }

    private func rekeying(_ kind: CredentialKind, in bank: Bank) async throws -> Message {
        let request = try await rekey(kind, in: bank).request
        let attempt = try await attempt(over: request.question(), in: bank)
        return { try await $0.verifier.rekey(request, attempt) }
    }

    private func typing(over data: [UInt8]?, in bank: Bank) async throws -> Message {
        let code = try await typedCode(over: data, in: bank)
        return { try await self.type(code, over: data, call: "one", in: $0) }
    }

    private func resynchronising(in bank: Bank) async throws -> Message {
        let first = try await typedCode(ahead: 50, in: bank)
        let second = try await typedCode(ahead: 51, in: bank)
        return { try await self.resynchronise(first, then: second, call: "one", in: $0) }
    }
}
