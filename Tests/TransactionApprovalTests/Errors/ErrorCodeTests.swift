import Testing
import TransactionApproval

@Suite struct `Error codes` {
    /// Banks' programs contain these codes, so none may be renamed.
    private static let published: Set = [
        "noAccountActivated", "noPendingTransaction", "unknownTransaction", "transactionExpired",
        "transactionAlreadyDecided", "authenticationFailed", "credentialLocked",
        "activationCodeInvalid", "activationCodeExpired",
        "accountAlreadyActivated", "pinPolicy", "authenticationTypeNotAllowed",
        "biometricUnavailable", "biometricNotEnabled", "biometricLockedOut", "biometricFailed",
        "biometricCancelled", "pinCannotBeDisabled", "signingDataMissing", "counterOutOfStep",
        "serverUntrusted", "clockSkew", "networkUnavailable", "serverUnavailable", "vaultDamaged",
        "vaultLocked", "vaultUnavailable", "deviceSecretMissing", "invalidArgument",
        "deviceRevoked", "pushMismatch", "transactionNotDisplayable", "returnURLRefused",
        "rateLimited", "upgradeRequired", "pushMalformed", "deviceWaiting",
        "amountAboveCeiling", "activationForBrowser", "pinChangedBefore", "pinChangeUnfinished",
        "responseMissing",
    ]

    @Test func `are the published codes`() {
        #expect(Set(ErrorCode.allCases.map(\.rawValue)) == Self.published)
    }

    @Test func `have different sentences in all languages`() {
        let sentences = ErrorCode.allCases.flatMap { code in
            Language.allCases.map { code.supportSentence(in: $0) }
        }
        #expect(Set(sentences).count == ErrorCode.allCases.count * Language.allCases.count)
        #expect(
            ErrorCode.counterOutOfStep.supportSentence(in: .german)
                == "Gerät und Bank waren nicht auf demselben Stand; versuchen Sie es erneut."
        )
    }

    @Test(arguments: ErrorCode.allCases, Language.allCases)
    func `have one short sentence with the event and the remedy`(
        _ code: ErrorCode,
        _ language: Language
    ) throws {
        let sentence = code.supportSentence(in: language)
        #expect(try #require(sentence.first).isUppercase)
        #expect(sentence.firstIndex(of: ".") == sentence.indices.last, "one sentence")
        #expect((20...180).contains(sentence.count))
        #expect(sentence.contains("; "), "first what happened, then what to do")
        #expect(!sentence.contains("  "))
    }

    @Test(arguments: ErrorCode.allCases, Language.allCases)
    func `have sentences without jargon`(_ code: ErrorCode, _ language: Language) {
        let words = code.supportSentence(in: language).lowercased().split { !$0.isLetter }
        let jargon: Set<Substring> = [
            "credential", "counter", "vault", "payload", "server", "otp", "hotp", "url", "token",
            "signature", "argument", "biometric", "verifier", "transaction",
        ]
        #expect(jargon.isDisjoint(with: words))
    }
}

@Suite struct `A language` {
    @Test(
        arguments: [
            ("de", .german), ("de_DE.UTF-8", .german), ("de_AT@euro", .german), ("DE", .german),
            ("en_GB.UTF-8", .english), ("C", .english), ("POSIX", .english), ("", .english),
            ("den", .english), ("fr_FR.UTF-8", .english), ("_de", .english),
        ] as [(String, Language)]
    )
    func `is found by the name of a locale`(_ locale: String, _ language: Language) {
        #expect(Language(locale: locale) == language)
    }
}
