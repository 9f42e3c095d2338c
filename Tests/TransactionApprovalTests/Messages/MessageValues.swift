import Cryptography
import OneTimePassword
import Testing
import TransactionApproval

/// A known value for every message; `GoldenTextTests` has their texts.
struct MessageValues {
    let claim: SubmittedClaim
    let commit: ActivationCommit
    let offer: ActivationOffer
    let policy: DevicePolicy
    let transaction: Transaction
    let rekey: RekeyRequest
    let envelope: CodeEnvelope
    let attempt: AttemptID
    let digest: Digest
    let signature: P256.Signature
    let serverKey: P256.PublicKey

    init() throws {
        serverKey = try key(1)
        digest = Digest(copying: bytes(from: 100, 32).span)
        signature = try P256.Signature(raw: bytes(from: 1, 64).span)
        attempt = AttemptID(checked: bytes(from: 0xA0, 16))
        policy = DevicePolicy(
            pin: .default,
            authentication: [.userPIN, .biometric],
            returnAddresses: [try #require(ReturnAddress("https://bank.example"))]
        )
        transaction = try TransactionParts().transaction()
        let device = DeviceID(checked: bytes(from: 0xD0, 16))
        claim = SubmittedClaim(
            ActivationClaim(
                activation: try #require(ActivationID("01ABCDEFGH")),
                serverKey: try ServerKeyID(of: serverKey),
                device: device,
                ephemeralKey: try key(33),
                deviceKey: try key(65),
                deviceName: try #require(DeviceName("Anna's phone"))
            ),
            proof: digest
        )
        let seed = try sealedSeed()
        let enrolment = ActivationCommit.Enrolment(
            device: device,
            deviceKey: try key(65),
            userSeed: seed,
            deviceSeed: seed,
            possession: signature
        )
        commit = try #require(ActivationCommit(claim, [enrolment]))
        offer = try #require(
            ActivationOffer(
                enterprise: .bank,
                epoch: Epoch(1),
                policy: policy.bytes,
                enrolments: [
                    ActivationOffer.Enrolment(
                        account: AccountKey(
                            type: AccountType(checked: "current"),
                            id: AccountID(checked: "acc-1")
                        ),
                        userCredential: .one,
                        deviceCredential: .other
                    )
                ]
            )
        )
        let proposal = try #require(
            RekeyProposal(
                authority: .sample(generation: 3),
                credential: .sample(generation: 4),
                ephemeralKey: try key(33),
                serverKey: try ServerKeyID(of: serverKey)
            )
        )
        rekey = RekeyRequest(proposal, seed: seed)
        envelope = CodeEnvelope(
            attempt: attempt,
            generation: Generation(3),
            epoch: Epoch(1),
            counter: Counter(9_007_199_254_740_993),
            code: try #require(InBandCode(OneTimeCode(String(repeating: "0f", count: 32)))),
            blind: try #require(Blind(wireBytes: bytes(from: 0xB0, 16)))
        )
    }

    var position: CredentialPosition {
        CredentialPosition(
            generation: Generation(3),
            epoch: Epoch(1),
            minimumCounter: Counter(18)
        )
    }
}

func bytes(from first: UInt8, _ count: Int) -> [UInt8] {
    (0..<count).map { first &+ UInt8($0) }
}

/// The key whose scalar has the bytes from `first` on.
private func key(_ first: UInt8) throws -> P256.PublicKey {
    try P256.PrivateKey(scalar: try SecureBytes(bytes(from: first, 32))).publicKey
}

private func sealedSeed() throws -> SealedSeed {
    let nonce = try #require(SealingNonce(bytes(from: 0, 12)))
    let ciphertext = bytes(from: 12, SealedSeed.ciphertextByteCount)
    return try #require(SealedSeed(nonce: nonce, ciphertext: ciphertext))
}

func moment(_ milliseconds: UInt64) throws -> Timestamp {
    try #require(Timestamp(milliseconds: milliseconds))
}

// MARK: Messages

extension MessageValues {
    func requests() throws -> [MessageSample] {
        let transaction = TransactionID(checked: "tx-1")
        return [
            try MessageSample("claim", claim),
            try MessageSample("commit", commit),
            try MessageSample("commit with a sibling", try #require(siblingCommit)),
            try MessageSample("status", StatusExchange.Request()),
            try MessageSample("commit sent", StatusExchange.Request(.commit(sentCommit))),
            try MessageSample("codes sent", StatusExchange.Request(.codes(below: Counter(18)))),
            try MessageSample(
                "transaction",
                TransactionExchange.Request(transaction: transaction)
            ),
            try MessageSample(
                "approval",
                DecisionExchange.Request(
                    transaction: transaction,
                    choice: .approve(.userPIN),
                    evidence: signature,
                    envelope: envelope
                )
            ),
            try MessageSample(
                "rejection",
                DecisionExchange.Request(
                    transaction: transaction,
                    choice: .reject(.notMe),
                    evidence: signature,
                    envelope: envelope
                )
            ),
            try MessageSample(
                "login",
                LoginExchange.Request(
                    dataDigest: digest,
                    type: .biometric,
                    envelope: envelope
                )
            ),
            try MessageSample("PIN check", PINCheckExchange.Request(envelope: envelope)),
            try MessageSample(
                "PIN check for a claim",
                PINCheckExchange.Request(digest, envelope: envelope)
            ),
            try MessageSample(
                "rekey",
                RekeyExchange.Request(rekey: rekey, envelope: envelope)
            ),
            try MessageSample(
                "biometric removal",
                BiometricRemovalExchange.Request(attempt: attempt)
            ),
            try MessageSample("push off", push(.off)),
            try MessageSample("push by events", push(.events)),
            try MessageSample("push by FCM", push(.fcm(try #require(FCMToken("dX:APA91b_-9"))))),
            try MessageSample("deletion", DeletionExchange.Request(attempt: attempt)),
        ]
    }

    private var siblingCommit: ActivationCommit? {
        let sibling = ActivationCommit.Sibling(
            device: DeviceID(checked: bytes(from: 0xE0, 16)),
            attempt: attempt
        )
        return ActivationCommit(commit.submittedClaim, commit.enrolments, sibling: sibling)
    }

    private func push(_ setting: PushSetting) -> PushExchange.Request {
        PushExchange.Request(attempt: attempt, setting: setting)
    }

    func responses() throws -> [MessageSample] {
        [
            try MessageSample("offer", ActivationClaimExchange.Response(offer: offer, mac: digest)),
            try MessageSample(
                "receipt",
                ActivationCommitExchange.Response(
                    outcomes: EnrolmentOutcome.allCases,
                    receipt: digest
                )
            ),
            try MessageSample("device's status", try status()),
            try MessageSample(
                "transactions",
                TransactionListExchange.Response(
                    transactions: ["tx-1", "tx-2"].map(TransactionID.init(checked:))
                )
            ),
            try MessageSample(
                "transaction to show",
                TransactionExchange.Response(
                    canonicalBytes: transaction.canonicalBytes,
                    typedDigits: .two
                )
            ),
            try MessageSample(
                "login made",
                LoginExchange.Response(login: .init(checked: "login-1"))
            ),
            try MessageSample("done", NoContent()),
            try MessageSample("changes", try accountChanges()),
        ]
    }

    private var sentCommit: SentCommit {
        SentCommit(
            activation: claim.claim.activation,
            claim: digest,
            deviceKey: claim.claim.deviceKey
        )
    }

    private func accountChanges() throws -> AccountChangesExchange.Response {
        let moment = try moment(1_800_000_000_000)
        return AccountChangesExchange.Response(
            changes: [
                .init(.deviceActivated, at: moment, on: DeviceName("Anna's phone")),
                .init(.activationIssued, at: moment, on: nil),
                .init(
                    .accountLinked,
                    at: moment,
                    on: nil,
                    of: AccountKey(type: AccountType(checked: "card"), id: .init(checked: "4712"))
                ),
            ]
        )
    }

    private func status() throws -> StatusExchange.Response {
        StatusExchange.Response(
            account: AccountKey(type: AccountType(checked: "main"), id: .init(checked: "4711")),
            credentials: [
                CredentialStatus(id: .one, kind: .user, position: position, isEnabled: true),
                CredentialStatus(
                    id: .other,
                    kind: .device,
                    position: position,
                    isEnabled: false,
                    lock: .until(try moment(1_800_000_000_000))
                ),
            ],
            policy: policy,
            nextServerKey: serverKey,
            nextAgreementKey: AgreementKeyAnnouncement(
                claim.claim.deviceKey,
                signature: signature
            )
        )
    }

    func problems() throws -> [MessageSample] {
        try everyProblem().map { try MessageSample("problem \($0)", $0) }
    }

    /// At least one of each case.
    func everyProblem() throws -> [Problem] {
        [
            .noAccountActivated, .deviceRevoked,
            .clockSkew(serverTime: try moment(1_800_000_000_000)),
            .invalidArgument, .rateLimited(retryAfterSeconds: 60), .serverUnavailable,
            .upgradeRequired,
            .accountAlreadyActivated, .activationCodeInvalid, .activationCodeExpired,
            .unknownTransaction, .transactionExpired,
            .transactionAlreadyDecided(.withdrawn), .authenticationFailed(attemptsLeft: 4),
            .credentialLocked(.until(try moment(1_800_000_000_000))), .credentialLocked(.never),
            .authenticationTypeNotAllowed, .counterOutOfStep(position),
            .deviceWaiting(until: try moment(1_800_000_000_000)), .amountAboveCeiling,
        ]
    }
}
