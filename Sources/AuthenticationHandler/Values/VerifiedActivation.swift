import Cryptography
import TransactionApproval

/// A verified activation, for which the person can now set the PIN.
///
/// It is only in memory. If the program ends before the PIN is set, start again with the same id
/// and code.
public struct VerifiedActivation: Sendable {
    /// The account and its linked accounts, which are set up together.
    ///
    /// Existing ones are replaced.
    public let accounts: [Account]
    public let pinPolicy: PINPolicy
    /// The account whose PIN `setPIN` needs, if there is an account already: all accounts have one
    /// PIN.
    ///
    /// The PIN is checked online at this account, and a wrong PIN counts there.
    public let existingAccount: Account?
    /// The accounts on this device that are useless until they are set up again.
    ///
    /// The bank revoked the device, the PIN is locked permanently, or an old backup was restored.
    public let lostAccounts: [Account]

    let inProgress: ActivationInProgress
}

/// The keys of an activation, and its session with the verifier.
final class ActivationInProgress: Sendable {
    /// One per account, in the order of the offer.
    let devices: [NewDevice]
    let claim: SubmittedClaim
    let session: EnrolmentSession
    let server: TrustedServer
    let policy: DevicePolicy

    init(
        devices: [NewDevice],
        claim: SubmittedClaim,
        session: consuming EnrolmentSession,
        server: TrustedServer,
        policy: DevicePolicy
    ) {
        self.devices = devices
        self.claim = claim
        self.session = session
        self.server = server
        self.policy = policy
    }
}

extension ActivationInProgress {
    /// Whether it sets up an account with this name.
    func replaces(_ account: AccountRecord) -> Bool {
        let offer = session.offer
        return offer.enrolments.contains { Account(offer.enterprise, $0.account) == account.name }
    }
}

/// The result of an activation for one account.
public struct Enrolment: Equatable, Sendable {
    public let account: Account
    public let outcome: EnrolmentOutcome

    package init(_ account: Account, _ outcome: EnrolmentOutcome) {
        self.account = account
        self.outcome = outcome
    }
}
