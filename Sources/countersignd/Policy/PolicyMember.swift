/// A member of a policy, with its limits.
struct PolicyMember: Sendable {
    enum Value: Sendable {
        case number(ClosedRange<Int>)
        /// One of these numbers.
        case choice([Int])
        case boolean
        /// An array of these values, as JSON.
        case array([String])
    }

    let path: String
    let value: Value
    /// JSON; nil if the member has no default.
    let fallback: String?
    let text: String

    private init(_ path: String, _ value: Value, default fallback: String?, text: String) {
        self.path = path
        self.value = value
        self.fallback = fallback
        self.text = text
    }

    /// Tests compare the limits and the defaults with those of the verifier.
    static let all: [PolicyMember] = [
        PolicyMember(
            "authentication",
            .array([#""consent""#, #""userPIN""#, #""biometric""#]),
            default: #"["userPIN"]"#,
            text: "The authentication types that can approve a transaction."
        ),
        PolicyMember(
            "consentCeilings",
            .array([#"{"currency": "EUR", "minorUnits": 3000, "totalMinorUnits": 9000}"#]),
            default: "[]",
            text: "The maximum amount that consent alone can approve, for each currency. "
                + "minorUnits is the maximum of one transaction. totalMinorUnits is the maximum "
                + "sum since the person last used PIN or biometrics; its default is three times "
                + "minorUnits."
        ),
        PolicyMember(
            "consecutiveConsents",
            .number(1...5),
            default: "5",
            text: "The maximum number of approvals by consent alone since the person last used "
                + "PIN or biometrics, over all linked accounts and devices."
        ),
        PolicyMember(
            "numberMatchingDigits",
            .choice([0, 2, 6]),
            default: "0",
            text: "The length of the number that the bank shows and the person types. 0: no number."
        ),
        PolicyMember(
            "requiredFields",
            .array([#"{"context": "payment", "labels": ["Reference"]}"#]),
            default: "[]",
            text:
                "The fields that a transaction must contain. A context is payment, action or login."
        ),
        PolicyMember(
            "transactionSeconds",
            .number(30...600),
            default: "120",
            text: "The timeout of a pending transaction."
        ),
        PolicyMember(
            "pendingTransactions",
            .number(1...3),
            default: "3",
            text: "The maximum number of pending transactions of a person, over all linked "
                + "accounts."
        ),
        PolicyMember(
            "requestsInTenMinutes",
            .number(1...5),
            default: "5",
            text: "The rate limit of transactions for a person in 10 minutes, over all linked "
                + "accounts, counted since the last approval with PIN or biometrics."
        ),
        PolicyMember(
            "requestsInADay",
            .number(1...20),
            default: "20",
            text: "The rate limit of transactions for a person in 24 hours, over all linked "
                + "accounts, counted since the last approval with PIN or biometrics."
        ),
        PolicyMember(
            "cards.pendingTransactions",
            .number(1...3),
            default: "3",
            text: "The same as pendingTransactions, for transactions of the source cards."
        ),
        PolicyMember(
            "cards.requestsInTenMinutes",
            .number(1...5),
            default: "5",
            text: "The same as requestsInTenMinutes, for transactions of the source cards."
        ),
        PolicyMember(
            "cards.requestsInADay",
            .number(1...20),
            default: "20",
            text: "The same as requestsInADay, for transactions of the source cards."
        ),
        PolicyMember(
            "lock.failures",
            .number(1...5),
            default: "5",
            text: "The number of consecutive wrong codes that lock a credential."
        ),
        PolicyMember(
            "lock.firstSeconds",
            .number(1800...86400),
            default: "1800",
            text: "The duration of the first lock. Every further lock is twice as long."
        ),
        PolicyMember(
            "lock.temporaryLocks",
            .number(0...2),
            default: "2",
            text: "The number of consecutive temporary locks before a permanent lock."
        ),
        PolicyMember(
            "lock.failuresInWindow",
            .number(5...30),
            default: "30",
            text:
                "The number of wrong codes in the window that lock a credential permanently, even "
                + "with right codes in between. The minimum is lock.failures."
        ),
        PolicyMember(
            "lock.windowSeconds",
            .number(2_592_000...31_536_000),
            default: "2592000",
            text: "The length of the window."
        ),
        PolicyMember(
            "pin.minimumDigits",
            .number(6...12),
            default: "6",
            text: "The minimum length of a PIN. A minimum of 5 needs pin.allowsFiveDigits, and "
                + "lock.failures of 2 or less with lookAhead 10."
        ),
        PolicyMember(
            "pin.maximumDigits",
            .number(6...12),
            default: "12",
            text: "The maximum length of a PIN. The minimum is pin.minimumDigits."
        ),
        PolicyMember(
            "pin.allowsFiveDigits",
            .boolean,
            default: "false",
            text: "Whether pin.minimumDigits can be 5."
        ),
        PolicyMember(
            "lookAhead",
            .number(0...100),
            default: "10",
            text:
                "How far a typed code can be ahead: the maximum number of unused codes before the "
                + "submitted code. Codes that were computed but not submitted are unused. With "
                + "minimumTokenDigits 6 the maximum is 19, because more would make guessing too "
                + "easy."
        ),
        PolicyMember(
            "resynchronisationReach",
            .number(0...1000),
            default: "100",
            text: "How far countersignd resync searches: the maximum number of unused codes before "
                + "the first of the two codes."
        ),
        PolicyMember(
            "minimumTokenDigits",
            .choice([6, 7, 8]),
            default: nil,
            text: "The minimum code length of imported hardware tokens. Without it, tokens are "
                + "rejected."
        ),
        PolicyMember(
            "activationSeconds",
            .number(60...2_592_000),
            default: "86400",
            text: "The time until an activation code expires."
        ),
        PolicyMember(
            "codeInActivationURI",
            .boolean,
            default: "false",
            text: "Whether the activation address contains the code. Then one channel is enough to "
                + "activate a device."
        ),
        PolicyMember(
            "devicesPerAccount",
            .number(1...20),
            default: "5",
            text: "The maximum number of active devices of an account, with hardware tokens. "
                + "Suspended and revoked devices do not count."
        ),
        PolicyMember(
            "linksAccounts",
            .boolean,
            default: "true",
            text: "Whether one activation serves all linked accounts of a person, up to 16."
        ),
        PolicyMember(
            "returnAddresses",
            .array([#""https://bank.example""#]),
            default: "[]",
            text: "The addresses that a device can open after the decision: scheme and host, "
                + "without a path. The scheme is https, or an app scheme with a dot, such as "
                + "com.bank.app://return. https://* includes all websites, but only for "
                + "transactions of the source cards. A transaction with another return URL is "
                + "rejected; with [], every return URL is rejected."
        ),
        PolicyMember(
            "allowsTestAccounts",
            .boolean,
            default: "false",
            text: "Whether test accounts are allowed, which have no rate limits. Never allow them "
                + "where accounts belong to persons."
        ),
        PolicyMember(
            "newDevice.waitingHours",
            .number(0...720),
            default: "0",
            text: "How long a new device of a person who had a device before approves nothing "
                + "above newDevice.ceilings. 0: new devices do not wait."
        ),
        PolicyMember(
            "newDevice.ceilings",
            .array([#"{"currency": "EUR", "minorUnits": 3000}"#]),
            default: "[]",
            text: "The maximum sum of all transactions that the waiting devices of a person can "
                + "approve, for each currency. They approve no other currency."
        ),
        PolicyMember(
            "webDevices.allowed",
            .boolean,
            default: "false",
            text: "Whether persons can activate a web browser, if the bank's call requests it. "
                + "With false, existing web devices approve nothing and cannot log in."
        ),
        PolicyMember(
            "webDevices.requiresPRF",
            .boolean,
            default: "true",
            text: "Whether a web browser must use an authenticator of the device, by WebAuthn PRF, "
                + "for each code. It applies to new activations."
        ),
        PolicyMember(
            "webDevices.ceilings",
            .array([#"{"currency": "EUR", "minorUnits": 100000}"#]),
            default: nil,
            text: "The maximum of one transaction that a web device can approve, for each "
                + "currency. It approves no other currency. Without it, there is no limit."
        ),
    ]
}
