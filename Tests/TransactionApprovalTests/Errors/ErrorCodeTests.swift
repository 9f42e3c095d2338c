import Testing
import TransactionApproval

@Suite struct `Error codes` {
    /// Banks' programs contain these codes, so none may be renamed.
    private static let published: Set = [
        "noAccountActivated", "noPendingTransaction", "unknownTransaction", "transactionExpired",
        "transactionAlreadyDecided", "authenticationFailed", "credentialLocked",
        "activationCodeInvalid", "activationCodeExpired", "activationAttemptsExhausted",
        "accountAlreadyActivated", "pinPolicy", "authenticationTypeNotAllowed",
        "biometricUnavailable", "biometricNotEnabled", "biometricLockedOut", "biometricFailed",
        "biometricCancelled", "pinCannotBeDisabled", "signingDataMissing", "counterOutOfStep",
        "serverUntrusted", "clockSkew", "networkUnavailable", "serverUnavailable", "vaultDamaged",
        "vaultLocked", "vaultUnavailable", "deviceSecretMissing", "invalidArgument",
        "deviceRevoked", "pushMismatch", "transactionNotDisplayable", "returnURLRefused",
        "rateLimited", "upgradeRequired",
    ]

    @Test func `are the published codes`() {
        #expect(Set(ErrorCode.allCases.map(\.rawValue)) == Self.published)
    }

    @Test func `have different sentences`() {
        #expect(Set(ErrorCode.allCases.map(\.supportSentence)).count == ErrorCode.allCases.count)
    }

    @Test(arguments: ErrorCode.allCases)
    func `have one short sentence with the event and the remedy`(_ code: ErrorCode) throws {
        let sentence = code.supportSentence
        #expect(try #require(sentence.first).isUppercase)
        #expect(sentence.firstIndex(of: ".") == sentence.indices.last, "one sentence")
        #expect((20...180).contains(sentence.count))
        #expect(sentence.contains("; "), "first what happened, then what to do")
        #expect(!sentence.contains("  "))
    }

    @Test(arguments: ErrorCode.allCases)
    func `have sentences without jargon`(_ code: ErrorCode) {
        let words = code.supportSentence.lowercased().split { !$0.isLetter }
        let jargon: Set<Substring> = [
            "credential", "counter", "vault", "payload", "server", "otp", "hotp", "url", "token",
            "signature", "argument", "biometric", "verifier", "transaction",
        ]
        #expect(jargon.isDisjoint(with: words))
    }
}
