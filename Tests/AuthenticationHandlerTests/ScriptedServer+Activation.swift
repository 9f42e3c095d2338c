import OneTimePassword
import TestSupport

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

/// An activation at the verifier, and the verifier's side of both steps.
struct ScriptedActivation: Sendable {
    let server: ScriptedServer
    let id: ActivationID
    let code: [UInt8]
    let offer: ActivationOffer

    init(
        of accounts: [String] = ["4711"],
        in enterprise: String = "bank",
        under policy: DevicePolicy = .sample,
        at server: ScriptedServer
    ) throws {
        self.server = server
        id = try .random()
        code = try ActivationCode.random().text().withBytes { $0.array }
        let enrolments = try accounts.map { account in
            ActivationOffer.Enrolment(
                account: AccountKey(
                    type: AccountType(checked: "main"),
                    id: AccountID(checked: account)
                ),
                userCredential: try .random(),
                deviceCredential: try .random()
            )
        }
        offer = try ActivationOffer(
            enterprise: EnterpriseID(checked: enterprise),
            epoch: .first,
            policy: policy.bytes,
            enrolments: enrolments
        ).unwrapped()
    }

    /// The activation id and code of the person.
    func inHand() throws -> Activation {
        try Activation(id: id.text, code: code.span, at: server.trusted)
    }

    /// Runs both steps, with the given outcome for each account of the offer.
    func activate(
        _ handler: AuthenticationHandler,
        _ pin: String,
        _ outcomes: [EnrolmentOutcome]? = nil
    ) async throws -> [Enrolment] {
        respondToClaim()
        let verified = try await handler.verifyActivation(inHand())
        respondToCommit(outcomes)
        return try await handler.setPIN(.typed(pin), for: verified)
    }

    func respondToClaim() {
        server.then(ActivationClaimExchange.self) { claim in
            let session = try session(claim)
            return .done(ActivationClaimExchange.Response(offer: offer, mac: session.offerMAC))
        }
    }

    /// Opens every seed, as a verifier does, before it responds.
    func respondToCommit(_ outcomes: [EnrolmentOutcome]? = nil) {
        server.then(ActivationCommitExchange.self) { commit in
            .done(try response(to: commit, outcomes))
        }
    }

    func response(
        to commit: ActivationCommit,
        _ outcomes: [EnrolmentOutcome]? = nil
    ) throws -> ActivationCommitExchange.Response {
        let session = try session(commit.submittedClaim)
        let outcomes = outcomes ?? offer.enrolments.map { _ in .enrolled }
        for index in commit.enrolments.indices { _ = try session.seeds(at: index, of: commit) }
        for enrolment in commit.enrolments { server.know(enrolment.device, enrolment.deviceKey) }
        return ActivationCommitExchange.Response(
            outcomes: outcomes,
            receipt: try session.receipt(for: commit, outcomes)
        )
    }

    private func session(_ claim: SubmittedClaim) throws -> EnrolmentSession {
        let session = try ActivationSession.verify(
            claim,
            server: server.agreementKey,
            code: ActivationCode(typed: code.span)
        )
        return try session.unwrapped().offering(offer)
    }
}
