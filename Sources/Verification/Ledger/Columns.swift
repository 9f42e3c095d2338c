import Storage

extension Column {
    // Shared by several tables.
    static let id = Column("id")
    static let enterprise = Column("enterprise")
    static let accountType = Column("account_type")
    static let accountID = Column("account_id")
    static let device = Column("device")
    static let name = Column("name")
    static let type = Column("type")
    static let kind = Column("kind")
    static let state = Column("state")
    static let status = Column("status")
    static let created = Column("created")
    static let deadline = Column("deadline")
    static let closed = Column("closed")
    static let detail = Column("detail")
    static let subject = Column("subject")
    static let sequence = Column("sequence")
    static let fingerprint = Column("fingerprint")
    static let failureTimes = Column("failure_times")
    static let line = Column("line")
    static let tag = Column("tag")
    /// Computed: a number of rows.
    static let count = Column("count")
    /// A parameter: the maximum number of rows.
    static let limit = Column("limit")

    static let account = [enterprise, accountType, accountID]

    // verifier
    static let storeID = Column("store_id")
    static let restoreID = Column("restore_id")
    static let epoch = Column("epoch")
    static let auditSequence = Column("audit_sequence")
    static let auditMoment = Column("audit_moment")
    static let auditHash = Column("audit_hash")
    static let fingerprintKey = Column("fingerprint_key")
    static let minimumKeyVersion = Column("minimum_key_version")
    static let isBackup = Column("is_backup")

    // enterprises
    static let policy = Column("policy")
    static let policyVersion = Column("policy_version")

    // accounts
    static let person = Column("person")
    static let mutedUntil = Column("muted_until")
    static let replacedByType = Column("replaced_by_type")
    static let replacedByID = Column("replaced_by_id")
    static let isTest = Column("is_test")
    static let consents = Column("consents")

    // activations
    static let issued = Column("issued")
    static let code = Column("code")
    static let claimDigest = Column("claim_digest")
    static let claimOffer = Column("claim_offer")

    // activations, devices
    /// 1 for a web browser, and null for everything else.
    static let isWeb = Column("is_web")

    // devices
    static let publicKey = Column("public_key")
    static let tokenSuite = Column("token_suite")
    static let activated = Column("activated")
    static let notifications = Column("notifications")
    static let notificationsTag = Column("notifications_tag")
    static let waits = Column("waits")
    static let waitingAmounts = Column("waiting_amounts")

    // credentials
    static let generation = Column("generation")
    static let counter = Column("counter")
    static let confirmedEpoch = Column("confirmed_epoch")
    static let seed = Column("seed")
    static let copyDetected = Column("copy_detected")
    static let countingDevice = Column("counting_device")
    static let consecutiveFailures = Column("consecutive_failures")
    static let consecutiveLocks = Column("consecutive_locks")
    static let lockedUntil = Column("locked_until")
    static let blocked = Column("blocked")
    static let failuresTag = Column("failures_tag")

    // transactions
    static let canonicalBytes = Column("canonical_bytes")
    static let acceptedAuthentication = Column("accepted_authentication")
    static let number = Column("number")
    static let evidence = Column("evidence")
    /// 1 for a request because of a card payment, and null for one of the bank itself.
    static let source = Column("source")
    /// Computed: 1 if a number is stored.
    static let hasNumber = Column("has_number")

    // attempts, logins, bank_tokens, bank_calls
    static let verdict = Column("verdict")
    static let dataDigest = Column("data_digest")
    static let granted = Column("granted")
    static let redeemed = Column("redeemed")
    static let secretDigest = Column("secret_digest")
    static let role = Column("role")
    static let expiry = Column("expiry")
    static let revoked = Column("revoked")
    static let idempotencyKey = Column("idempotency_key")
    static let outcome = Column("outcome")

    // requested_calls
    static let token = Column("token")
    static let confirmed = Column("confirmed")

    // imports, rejected_rows
    static let importName = Column("import")
    static let digest = Column("digest")
    static let accounts = Column("accounts")
    static let tokens = Column("tokens")
    static let rejected = Column("rejected")
    static let reason = Column("reason")

    // audit, outbox
    static let moment = Column("moment")
    static let actor = Column("actor")
    static let traces = Column("traces")
    static let hash = Column("hash")
    static let target = Column("target")
    static let tries = Column("tries")
    static let started = Column("started")
    static let due = Column("due")
}

/// The tables of the newest schema.
extension Table {
    static let verifier = Table(
        "verifier",
        key: [.id],
        [
            .storeID, .epoch, .auditSequence, .auditMoment, .auditHash, .fingerprintKey,
            .minimumKeyVersion, .isBackup, .restoreID, .tag,
        ]
    )
    static let enterprises = Table(
        "enterprises",
        key: [.id],
        [.policy, .policyVersion, .tag]
    )
    static let accounts = Table(
        "accounts",
        key: [.enterprise, .type, .id],
        [.person, .mutedUntil, .replacedByType, .replacedByID, .isTest, .consents, .tag]
    )
    static let activations = Table(
        "activations",
        key: [.id],
        .account + [
            .issued, .deadline, .state, .closed, .code, .claimDigest, .claimOffer, .failureTimes,
            .isWeb, .tag,
        ]
    )
    static let devices = Table(
        "devices",
        key: [.id],
        .account + [
            .publicKey, .tokenSuite, .name, .status, .activated, .waits, .waitingAmounts, .isWeb,
            .tag, .notifications, .notificationsTag,
        ]
    )
    static let credentials = Table(
        "credentials",
        key: [.device, .kind],
        [
            .id, .generation, .counter, .status, .confirmedEpoch, .seed, .copyDetected,
            .countingDevice, .tag, .consecutiveFailures, .consecutiveLocks, .lockedUntil, .blocked,
            .failureTimes, .failuresTag,
        ]
    )
    static let transactions = Table(
        "transactions",
        key: [.id],
        archivedTransactions.values + [.number]
    )
    static let archivedTransactions = Table(
        "archived_transactions",
        key: [.id],
        .account + [
            .canonicalBytes, .acceptedAuthentication, .created, .deadline, .state, .closed, .device,
            .detail, .evidence, .source, .tag,
        ]
    )
    static let attempts = Table(
        "attempts",
        key: [.device, .id],
        [.created, .fingerprint, .verdict, .tag]
    )
    static let logins = Table(
        "logins",
        key: [.id],
        .account + [.device, .type, .dataDigest, .granted, .redeemed, .tag]
    )
    static let imports = Table(
        "imports",
        key: [.name],
        [.line, .digest, .accounts, .tokens, .rejected]
    )
    static let rejectedRows = Table("rejected_rows", key: [.importName, .line], [.reason])
    static let audit = Table(
        "audit",
        key: [.sequence],
        [.moment, .actor, .kind] + .account + [.subject, .detail, .traces, .hash, .tag]
    )
    static let outbox = Table(
        "outbox",
        key: [.sequence, .target, .device],
        .account + [.subject, .tries, .started, .due, .state]
    )
    static let bankTokens = Table(
        "bank_tokens",
        key: [.id],
        [.secretDigest, .name, .enterprise, .role, .created, .expiry, .revoked, .tag]
    )
    static let bankCalls = Table(
        "bank_calls",
        key: [.enterprise, .idempotencyKey],
        [.created, .fingerprint, .outcome, .tag]
    )
    static let requestedCalls = Table(
        "requested_calls",
        key: [.id],
        [
            .enterprise, .token, .idempotencyKey, .fingerprint, .epoch, .created, .confirmed, .tag,
        ]
    )
}

extension [Column] {
    static var account: [Column] { Column.account }
}
