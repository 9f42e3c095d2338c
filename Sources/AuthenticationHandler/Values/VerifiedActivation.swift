import Cryptography
import TransactionApproval

/// An activation whose code the verifier accepted: the person may set the PIN now.
///
/// It lives in memory alone. Nothing of it is left when the program ends before the PIN is set, and
/// the same id and code begin anew.
public struct VerifiedActivation: Sendable {
    /// The account, and those that are linked to it: they are set up together, anew where one of
    /// them is here already.
    public let accounts: [Account]
    public let pinPolicy: PINPolicy
    /// Where accounts are here already: whose PIN `setPIN` asks for, since one PIN is for all.
    ///
    /// It is checked online at this account, and a wrong one counts there.
    public let existingAccount: Account?

    let inProgress: ActivationInProgress
}

/// Both keys that an activation made, and what was agreed with the verifier.
final class ActivationInProgress: Sendable {
    /// One for each account, in the order of the offer.
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

/// What became of one account of an activation.
public struct Enrolment: Equatable, Sendable {
    public let account: Account
    public let outcome: EnrolmentOutcome

    init(_ account: Account, _ outcome: EnrolmentOutcome) {
        self.account = account
        self.outcome = outcome
    }
}
