import Testing
import TransactionApproval

@Suite struct `Error codes` {
    /// What banks have in their programs: a code that is renamed here breaks them.
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

    @Test func `are those that were published`() {
        #expect(Set(ErrorCode.allCases.map(\.rawValue)) == Self.published)
    }

    @Test func `have a sentence each, unlike every other`() {
        #expect(Set(ErrorCode.allCases.map(\.supportSentence)).count == ErrorCode.allCases.count)
    }

    @Test(arguments: ErrorCode.allCases)
    func `say in one short sentence what happened and what to do`(_ code: ErrorCode) throws {
        let sentence = code.supportSentence
        #expect(try #require(sentence.first).isUppercase)
        #expect(sentence.firstIndex(of: ".") == sentence.indices.last, "one sentence")
        #expect((20...180).contains(sentence.count))
        #expect(sentence.contains("; "), "first what happened, then what to do")
        #expect(!sentence.contains("  "))
    }

    @Test(arguments: ErrorCode.allCases)
    func `are explained in words that people know`(_ code: ErrorCode) {
        let words = code.supportSentence.lowercased().split { !$0.isLetter }
        let jargon: Set<Substring> = [
            "credential", "counter", "vault", "payload", "server", "otp", "hotp", "url", "token",
            "signature", "argument", "biometric", "verifier", "transaction",
        ]
        #expect(jargon.isDisjoint(with: words))
    }
}
