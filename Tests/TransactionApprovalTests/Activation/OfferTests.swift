import Cryptography
import Testing
import TransactionApproval

@Suite struct `An offer` {
    private let exchange: ActivationExchange
    private let mac: Digest

    init() throws {
        exchange = try ActivationExchange()
        let server = try exchange.serverSession(try exchange.submittedClaim())
        mac = try server.offering(exchange.offer).offerMAC
    }

    private func isAccepted(
        _ offer: ActivationOffer,
        _ mac: Digest,
        by exchange: ActivationExchange? = nil
    ) throws -> Bool {
        let device = try (exchange ?? self.exchange).deviceSession()
        let session = try device.accepting(offer, mac: mac)
        return session != nil
    }

    @Test func `of the server is accepted`() throws {
        #expect(try isAccepted(exchange.offer, mac))
    }

    // Fewer digits or a wider range than the bank's: a downgrade.
    @Test func `with any bit of its policy changed is refused`() throws {
        for policy in exchange.offer.policy.eachWithOneBitFlipped + [[]] {
            #expect(try !isAccepted(try offer(policy: policy), mac))
        }
    }

    @Test func `for another enterprise, epoch or account is refused`() throws {
        let enrolments = exchange.offer.enrolments
        let first = enrolments[0]
        let changed = [
            try offer(enterprise: .shop),
            try offer(epoch: Epoch(2)),
            try offer(enrolments: enrolments.dropLast()),
            try offer(enrolments: enrolments.reversed()),
            try offer(enrolments: [enrolment(first, account: "z")] + enrolments.dropFirst()),
            try offer(enrolments: [enrolment(first, type: "z")] + enrolments.dropFirst()),
            try offer(
                enrolments: [
                    .init(
                        account: first.account,
                        userCredential: first.deviceCredential,
                        deviceCredential: first.userCredential
                    )
                ] + enrolments.dropFirst()
            ),
        ]
        for offer in changed { #expect(try !isAccepted(offer, mac)) }
    }

    @Test func `with any bit of its MAC changed is refused`() throws {
        for bytes in mac.array.eachWithOneBitFlipped {
            #expect(try !isAccepted(exchange.offer, try #require(Digest(sha256: bytes))))
        }
    }

    @Test func `to another session, or a proof sent back, is refused`() throws {
        let other = try ActivationExchange(server: exchange.server)
        #expect(try !isAccepted(exchange.offer, mac, by: other))
        #expect(try !isAccepted(exchange.offer, try exchange.deviceSession().proof))
    }

    @Test func `that is empty, too large or has repetitions is not possible`() throws {
        let enrolments = exchange.offer.enrolments
        let same = enrolments[0]
        for wrong in [[], [same, same], enrolments + [enrolment(same, account: "z")]] {
            #expect(offerOrNone(enrolments: wrong) == nil)
        }
        #expect(offerOrNone(enrolments: [same]) != nil)
        #expect(offerOrNone(policy: [UInt8](repeating: 0, count: 16 << 10)) != nil)
        #expect(offerOrNone(policy: [UInt8](repeating: 0, count: 16 << 10 + 1)) == nil)
        let many = try (0...16).map {
            ActivationOffer.Enrolment(
                account: enrolment(same, account: "\($0)").account,
                userCredential: try .random(),
                deviceCredential: try .random()
            )
        }
        #expect(offerOrNone(enrolments: many) == nil)
        #expect(offerOrNone(enrolments: many.dropLast()) != nil)
    }

    private func offerOrNone(
        enterprise: EnterpriseID = .bank,
        epoch: Epoch = Epoch(1),
        policy: [UInt8]? = nil,
        enrolments: [ActivationOffer.Enrolment]? = nil
    ) -> ActivationOffer? {
        ActivationOffer(
            enterprise: enterprise,
            epoch: epoch,
            policy: policy ?? exchange.offer.policy,
            enrolments: enrolments ?? exchange.offer.enrolments
        )
    }

    private func offer(
        enterprise: EnterpriseID = .bank,
        epoch: Epoch = Epoch(1),
        policy: [UInt8]? = nil,
        enrolments: [ActivationOffer.Enrolment]? = nil
    ) throws -> ActivationOffer {
        try #require(
            offerOrNone(
                enterprise: enterprise,
                epoch: epoch,
                policy: policy,
                enrolments: enrolments
            )
        )
    }

    private func enrolment(
        _ enrolment: ActivationOffer.Enrolment,
        type: String = "main",
        account: String = "a"
    ) -> ActivationOffer.Enrolment {
        .init(
            account: AccountKey(
                type: AccountType(checked: type),
                id: AccountID(checked: account)
            ),
            userCredential: enrolment.userCredential,
            deviceCredential: enrolment.deviceCredential
        )
    }
}
