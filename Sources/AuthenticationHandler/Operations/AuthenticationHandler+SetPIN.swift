import Cryptography
import OneTimePassword
import PrivateFiles
import TransactionApproval

extension AuthenticationHandler {
    /// Creates the credentials of every account with this PIN, and sends their sealed seeds.
    ///
    /// After a failure or a crash, each account is either set up or not: see `accounts()`. The
    /// activation can be repeated from its beginning. An account that is not in the result was not
    /// set up. The device deletes `lostAccounts` before it sends the new ones.
    public func setPIN(
        _ pin: consuming PIN,
        for activation: VerifiedActivation
    ) async throws(AuthenticationError) -> [Enrolment] {
        try pin.check(against: activation.pinPolicy)
        let change = try await beginChange()
        let enrolments = try await enrol(activation, pin)
        change.end()
        return enrolments
    }

    private func enrol(
        _ activation: VerifiedActivation,
        _ pin: borrowing PIN
    ) async throws(AuthenticationError) -> [Enrolment] {
        let inProgress = activation.inProgress
        let failure = try await recoverAll()
        let done = try enrolled(by: inProgress, after: failure)
        guard done.isEmpty else { return done }
        // Other operations and the bank may have changed the accounts since the verification.
        let (existing, lost) = try await predecessors(of: inProgress)
        guard existing != nil || activation.existingAccount == nil else {
            // The person typed the PIN of an account that is gone: nothing checked it.
            throw AuthenticationError(.deviceRevoked)
        }
        if existing == nil, let reason = try reasonForUnknownPIN(after: failure) { throw reason }
        var sibling: ActivationCommit.Sibling?
        if let existing { sibling = try await self.sibling(existing, of: inProgress, pin) }
        // The bank may allow one device only, and a lost one would still count.
        for account in lost { try await end(account) }
        let (accounts, commit) = try await makeAccounts(inProgress, pin, sibling)
        return try await submit(accounts, by: commit, of: inProgress)
    }

    /// Checks the PIN with an existing account.
    ///
    /// If the account is at the same verifier and enterprise, the new accounts share its count of
    /// wrong codes. Nil if it is at another one.
    private func sibling(
        _ account: OpenAccount,
        of activation: ActivationInProgress,
        _ pin: borrowing PIN
    ) async throws(AuthenticationError) -> ActivationCommit.Sibling? {
        let isSibling = account.record.isSibling(of: activation)
        let claim = try translatingSystemFailure(activation.claim.digest())
        let attempt = try await checkPIN(pin, of: account, for: isSibling ? claim : nil)
        guard isSibling, let attempt else { return nil }
        return ActivationCommit.Sibling(device: account.record.device, attempt: attempt)
    }

    /// The siblings of this activation that can check its PIN, and the other accounts that can.
    ///
    /// Throws if an unfinished PIN change left other accounts with the old PIN: a new account could
    /// get it. The accounts that the activation replaces do not count.
    func accountsWithPIN(
        for activation: ActivationInProgress
    ) throws(AuthenticationError) -> [[OpenAccount]] {
        let active = try activeAccounts()
        let left = active.leftByPINChange.map(\.record)
        guard left.allSatisfy(activation.replaces) else {
            throw AuthenticationError(.pinChangeUnfinished)
        }
        let ready = active.filter { account in
            !left.contains { $0.device == account.record.device }
        }
        return [
            ready.filter { $0.record.isSibling(of: activation) },
            ready.filter { !$0.record.isSibling(of: activation) },
        ]
    }

    /// The accounts that an earlier call set up; throws if its result is unknown.
    ///
    /// New seeds must not replace the earlier ones, because the verifier may have those. The result of
    /// another activation at the same verifier must be known too: if it succeeded, the new accounts
    /// share its count of wrong codes. If an activation at another server names one of the new
    /// accounts and succeeded, that account is not replaced.
    private func enrolled(
        by activation: ActivationInProgress,
        after failure: AuthenticationError?
    ) throws(AuthenticationError) -> [Enrolment] {
        let reason = try pendingReason(after: failure) {
            $0.isSibling(of: activation) || activation.replaces($0)
        }
        if let reason { throw reason }
        return try enrolled(among: activation.devices.map(\.id))
    }

    /// Why no PIN can be chosen, although no account checks it: a pending account may have another one.
    ///
    /// `failure` is the failure of the recovery.
    func reasonForUnknownPIN(
        after failure: AuthenticationError?
    ) throws(AuthenticationError) -> AuthenticationError? {
        try pendingReason(after: failure) { _ in true }
    }

    /// Why the result of one of these accounts stays unknown; nil if all results are known.
    ///
    /// `failure` is the failure of the recovery. Without one, another program is making a change.
    private func pendingReason(
        after failure: AuthenticationError?,
        where isConcerned: (AccountRecord) -> Bool
    ) throws(AuthenticationError) -> AuthenticationError? {
        let isPending = try allAccounts().map(\.record).contains { $0.isPending && isConcerned($0) }
        return isPending ? failure ?? AuthenticationError(.vaultLocked) : nil
    }

    /// The pending accounts are on the disk before the seeds are sent.
    private func submit(
        _ accounts: [OpenAccount],
        by commit: ActivationCommit,
        of activation: ActivationInProgress
    ) async throws(AuthenticationError) -> [Enrolment] {
        let accounts = try await add(accounts)
        let peer = try Peer(activation.devices[0], at: activation.server)
        switch try await outcome(ActivationCommitExchange.self, commit, by: peer) {
        case .done(let response):
            return try await conclude(response, commit, of: activation, accounts)
        case .refused(let problem):
            // An earlier attempt may have succeeded; then the accounts exist.
            return try await enrolled(of: accounts, unless: problem)
        }
    }

    /// Adds the new accounts after the existing ones, and replaces damaged ones of the same server.
    private func add(
        _ accounts: [OpenAccount]
    ) async throws(AuthenticationError) -> [OpenAccount] {
        let contents = try vaultContents()
        for damaged in contents.damaged where accounts.contains(where: damaged.isSameAccount(as:)) {
            try await removeWithBiometricKey(damaged.device)
        }
        var accounts = accounts
        let last = contents.accounts.last?.record.place ?? 0
        try await changeVault { locked throws(Vault.Failure) in
            for index in accounts.indices {
                accounts[index].record.place = last + 1 + UInt32(index)
                try locked.add(accounts[index])
            }
        }
        return accounts
    }

    /// Each account has its own device key.
    private func makeAccounts(
        _ activation: ActivationInProgress,
        _ pin: borrowing PIN,
        _ sibling: ActivationCommit.Sibling?
    ) async throws(AuthenticationError) -> ([OpenAccount], ActivationCommit) {
        var accounts: [OpenAccount] = []
        var enrolments: [ActivationCommit.Enrolment] = []
        for (enrolment, device) in zip(activation.session.offer.enrolments, activation.devices) {
            do throws(CryptographyFailure) {
                let account = try makeAccount(enrolment, on: device, activation)
                let seeds = try await account.seeds(pin)
                enrolments.append(
                    try activation.session.enrol(enrolment, on: device, seeds, nonce: .random())
                )
                accounts.append(account)
            } catch {
                throw AuthenticationError(system: SystemFailure(error))
            }
        }
        let commit = ActivationCommit(activation.claim, enrolments, sibling: sibling)
        guard let commit else {
            throw AuthenticationError(.response, cause: "the offer")
        }
        return (accounts, commit)
    }

    private func makeAccount(
        _ enrolment: ActivationOffer.Enrolment,
        on device: NewDevice,
        _ activation: ActivationInProgress
    ) throws(CryptographyFailure) -> OpenAccount {
        let offer = activation.session.offer
        let credential = { (id: CredentialID) throws(CryptographyFailure) in
            CredentialRecord(
                id: id,
                counter: Counter(0),
                epoch: offer.epoch,
                ingredients: try .random(.first, in: self.dependencies)
            )
        }
        let record = AccountRecord(
            device: device.id,
            place: 0,
            enterprise: offer.enterprise,
            account: enrolment.account,
            server: activation.server.origin,
            agreementKey: activation.server.activationKey,
            signingKey: activation.server.signingKey,
            nextSigningKey: activation.server.nextSigningKey,
            state: .pending(
                SentCommit(
                    activation: activation.claim.claim.activation,
                    claim: try activation.claim.digest(),
                    deviceKey: device.key.publicKey
                )
            ),
            policy: activation.policy,
            user: try credential(enrolment.userCredential),
            deviceCredential: try credential(enrolment.deviceCredential)
        )
        let secrets = try DeviceSecrets.random(device.key, by: dependencies.randomness)
        return OpenAccount(record: record, secrets: secrets)
    }

    /// Accepts the outcomes only with a valid receipt.
    private func conclude(
        _ response: ActivationCommitExchange.Response,
        _ commit: ActivationCommit,
        of activation: ActivationInProgress,
        _ accounts: [OpenAccount]
    ) async throws(AuthenticationError) -> [Enrolment] {
        let receipt = try translatingSystemFailure(
            activation.session.receipt(for: commit, response.outcomes)
        )
        guard receipt == response.receipt, response.outcomes.count == accounts.count else {
            throw AuthenticationError(.response, cause: "the receipt")
        }
        for (account, outcome) in zip(accounts, response.outcomes) {
            let device = account.record.device
            guard outcome == .enrolled else {
                try await remove(device)
                continue
            }
            try await endOthers(than: account)
            try await self.change(device) { $0.state = .active }
        }
        return try result(Array(zip(accounts.map(\.record.name), response.outcomes)))
    }

    private func result(
        _ outcomes: [(name: Account, outcome: EnrolmentOutcome)]
    ) throws(AuthenticationError) -> [Enrolment] {
        let active = try activeAccounts().map(\.record.name)
        return outcomes.map { name, outcome in
            // If a repeated activation fails, the earlier one is still active.
            Enrolment(name, active.contains(name) ? .enrolled : outcome)
        }
    }

    private func enrolled(
        among devices: [DeviceID]
    ) throws(AuthenticationError) -> [Enrolment] {
        try activeAccounts().map(\.record).filter { devices.contains($0.device) }
            .map { Enrolment($0.name, .enrolled) }
    }

    /// The accounts that are already active; without one, the outcomes that the refusal means.
    private func enrolled(
        of accounts: [OpenAccount],
        unless problem: Problem
    ) async throws(AuthenticationError) -> [Enrolment] {
        let devices = accounts.map(\.record.device)
        // The refusal can be of a repeated attempt, after the first one succeeded.
        let failure = try await recoverAll()
        let reason = try pendingReason(after: failure) { devices.contains($0.device) }
        if let reason {
            throw AuthenticationError(.responseMissing, cause: reason.debugDescription)
        }
        let enrolled = try enrolled(among: devices)
        guard enrolled.isEmpty else { return enrolled }
        guard problem == .accountAlreadyActivated else {
            throw AuthenticationError(refusal: problem)
        }
        // No account was enrolled: each one has its maximum number of devices.
        return try result(accounts.map { ($0.record.name, .tooManyDevices) })
    }
}

extension AccountRecord {
    /// Whether the verifier counts its wrong codes together with those of the new accounts.
    fileprivate func isSibling(of activation: ActivationInProgress) -> Bool {
        server == activation.server.origin && enterprise == activation.session.offer.enterprise
    }
}
