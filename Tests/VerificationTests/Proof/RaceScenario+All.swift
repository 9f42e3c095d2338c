import Cryptography
import OneTimePassword
import Testing
import TransactionApproval
import Verification
import VerifierWorld

extension RaceScenario {
    static let all = [
        oneAttempt, oneCode, wrongCodes, oneLoginCode, oneTypedCode, oneActivation,
        oneActivationCode, oneLogin, oneRequest, oneIssue, oneNotification, threeEnds,
    ]

    static let oneAttempt = RaceScenario(
        testDescription: "SEC-04: one attempt of an approval",
        outcomes: [
            RaceOutcome(
                results: ["accepted": 64],
                events: [.transactionApproved: 1],
                counter: 1
            )
        ],
        guarding: ["attempts"]
    ) { bank, customer in
        let (phone, payment, attempt) = try await customer.approval(in: bank)
        return { node, _ in
            try await phone.send(on: payment, attempt, to: node).label
        }
    }

    static let oneCode = RaceScenario(
        testDescription: "SEC-04, 2.4: one code of an approval under 64 attempts",
        outcomes: [
            RaceOutcome(
                results: ["accepted": 1, "already decided": 63],
                events: [.transactionApproved: 1],
                counter: 1
            )
        ],
        guarding: ["transactions", "credentials"]
    ) { bank, customer in
        let (phone, payment, attempt) = try await customer.approval(in: bank)
        return { node, _ in
            try await phone.send(on: payment, attempt.withNewID(), to: node).label
        }
    }

    static let wrongCodes = RaceScenario(
        testDescription: "SEC-08, SEC-09: 64 wrong codes",
        outcomes: [
            RaceOutcome(
                results: [
                    "wrong, 4 left": 1, "wrong, 3 left": 1, "wrong, 2 left": 1, "wrong, 1 left": 1,
                    "wrong, then locked": 1, "locked": 59,
                ],
                events: [.codeRefused: 5, .failuresRepeated: 1, .credentialLocked: 1],
                counter: 0
            )
        ],
        guarding: ["credentials"]
    ) { bank, customer in
        let phone = try await customer.activated(in: bank)
        let attempt = try await phone.attempt(over: .pinCheck, with: .wrong, in: bank)
        return { node, _ in try await node.checkPIN(attempt.withNewID()).label }
    }

    static let oneLoginCode = RaceScenario(
        testDescription: "SEC-04: one code of a login",
        outcomes: [
            RaceOutcome(
                results: ["accepted": 1, "out of step": 63],
                events: [.codeAccepted: 1, .deviceCopied: 1],
                counter: 1
            )
        ],
        guarding: ["credentials"]
    ) { bank, customer in
        let phone = try await customer.activated(in: bank)
        let digest = try #require(Digest(sha256: Phone.challenge))
        let attempt = try await phone.attempt(over: .login(digest), in: bank)
        return { node, _ in
            try await node.logIn(over: Phone.challenge, by: .userPIN, attempt.withNewID()).label
        }
    }

    static let oneTypedCode = RaceScenario(
        testDescription: "SEC-04: one typed code in 64 calls",
        outcomes: [
            RaceOutcome(
                results: ["accepted": 1, "codeUsed": 63],
                events: [.codeAccepted: 1, .codeReused: 63],
                counter: 1
            )
        ],
        guarding: ["credentials"]
    ) { bank, customer in
        let phone = try await customer.activated(in: bank)
        let code = try await phone.typedCode(in: bank)
        return { node, index in
            let submission = try await TypedSubmission.of(
                [code],
                call: "\(customer.account.key.id)-\(index)",
                on: phone.id,
                of: customer.account,
                to: node
            )
            let judged = try await node.verify(
                typed: code,
                over: nil,
                submission,
                by: Bank.core
            )
            return judged.result.label
        }
    }

    static let oneActivation = RaceScenario(
        testDescription: "SEC-53: one commit of an activation, 50 times",
        callers: 50,
        outcomes: [
            RaceOutcome(
                results: ["activated": 1, "refused": 49],
                events: [.deviceActivated: 1],
                counter: 0
            )
        ],
        guarding: ["activations", "devices"]
    ) { bank, customer in
        let issued = try await bank.issue(for: customer.account)
        let submitted = try customer.phone.claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: [customer.phone], issued.code)
        return { node, _ in
            if case .committed = try await node.commit(commit) { "activated" } else { "refused" }
        }
    }

    static let oneActivationCode = RaceScenario(
        testDescription: "SEC-53: 50 phones that claim and commit with one activation code",
        callers: 50,
        outcomes: [
            RaceOutcome(
                results: ["activated": 1, "refused": 49],
                events: [.activationClaimed: 1, .deviceActivated: 1],
                counter: 0
            )
        ],
        guarding: ["activations"]
    ) { bank, customer in
        let issued = try await bank.issue(for: customer.account)
        let phones = try (0..<50).map { _ in
            try Phone(agreeingWith: bank.agreementKey.publicKey)
        }
        return { node, index in
            let submitted = try phones[index].claim(issued.id, issued.code)
            guard case .offered(let offer, let mac) = try await node.claim(submitted) else {
                return "refused"
            }
            let commit = try phones[index].commit(submitted, offer, mac: mac, issued.code)
            guard case .committed(let outcomes, _) = try await node.commit(commit) else {
                return "refused"
            }
            return outcomes == [.enrolled] ? "activated" : "\(outcomes)"
        }
    }

    static let oneLogin = RaceScenario(
        testDescription: "SEC-31: 64 redemptions of one login",
        outcomes: [
            RaceOutcome(
                results: ["redeemed": 1, "redeemed before": 63],
                events: [.loginRedeemed: 1],
                counter: 1
            )
        ],
        guarding: ["logins"]
    ) { bank, customer in
        let phone = try await customer.activated(in: bank)
        guard case .accepted(let id?) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        return { node, _ in
            let result = try await node.redeemLogin(
                id,
                of: customer.account,
                over: Phone.challenge,
                by: Bank.core
            )
            return result == .refused(.redeemedBefore) ? "redeemed before" : "redeemed"
        }
    }

    static let oneRequest = RaceScenario(
        testDescription: "64 times one call for a transaction",
        outcomes: [
            RaceOutcome(
                results: ["made": 1, "made before": 63],
                events: [.transactionCreated: 1],
                counter: 0
            )
        ],
        guarding: ["bank_calls"]
    ) { bank, customer in
        _ = try await customer.activated(in: bank)
        let call = try await bank.call(customer.account.key.id.text)
        let request = TransactionRequest(
            account: customer.account,
            content: try .payment(of: 47_11)
        )
        return { node, _ in
            switch try await node.request(request, call: call, by: Bank.core) {
            case .created: "made"
            case .repeated: "made before"
            case let result: "\(result)"
            }
        }
    }

    static let oneIssue = RaceScenario(
        testDescription: "64 times one call for an activation",
        outcomes: [
            RaceOutcome(
                results: ["issued": 1, "issued before": 63],
                events: [.activationIssued: 1],
                counter: 0
            )
        ],
        guarding: ["bank_calls"]
    ) { bank, customer in
        let call = try await bank.call(customer.account.key.id.text)
        return { node, _ in
            let result = try await node.issueActivation(
                for: customer.account,
                call: call,
                by: Bank.core
            )
            return switch consume result {
            case .issued: "issued"
            case .repeated: "issued before"
            default: "refused"
            }
        }
    }

    static let oneNotification = RaceScenario(
        testDescription: "SEC-33: 64 calls for another notification of one payment",
        outcomes: [
            RaceOutcome(
                results: ["notified": 1, "too soon": 63],
                events: [.transactionNotified: 1],
                counter: 0
            )
        ],
        guarding: ["audit"]
    ) { bank, customer in
        try await bank.want(pushesOn: try await customer.activated(in: bank))
        let payment = try await bank.pay(from: customer.account)
        bank.clock.advance(by: .seconds(30))
        return { node, _ in
            switch try await node.notify(of: payment.id, of: customer.account, by: Bank.core) {
            case .notified: "notified"
            case .refused(.tooSoon): "too soon"
            case let result: "\(result)"
            }
        }
    }

    static let threeEnds = RaceScenario(
        testDescription: "an approval, a rejection and a withdrawal of one payment",
        outcomes: [
            RaceOutcome(
                results: ["approved": 1, "late": 63],
                events: [.transactionApproved: 1],
                counter: 1
            ),
            RaceOutcome(
                results: ["rejected": 1, "late": 63],
                events: [.transactionRejected: 1],
                counter: 0
            ),
            RaceOutcome(
                results: ["withdrawn": 1, "late": 63],
                events: [.transactionWithdrawn: 1],
                counter: 0
            ),
        ],
        guarding: ["transactions"]
    ) { bank, customer in
        let (phone, payment, approval) = try await customer.approval(in: bank)
        let rejection = Decision.reject(.noLongerWanted)
        let rejectionAttempt = try await customer.phone.attempt(
            .device,
            over: .decision(try TransactionHash(of: payment), rejection, nil),
            in: bank
        )
        return { node, index in
            switch index % 3 {
            case 0:
                let result = try await phone.send(on: payment, approval.withNewID(), to: node)
                return result == .accepted(nil) ? "approved" : "late"
            case 1:
                let result = try await phone.send(
                    rejection,
                    on: payment,
                    rejectionAttempt.withNewID(),
                    to: node
                )
                return result == .accepted(nil) ? "rejected" : "late"
            default:
                let result = try await node.withdraw(
                    payment.id,
                    of: customer.account,
                    by: Bank.core
                )
                return result == .done ? "withdrawn" : "late"
            }
        }
    }
}

extension RaceScenario.Customer {
    fileprivate func activated(in bank: Bank) async throws -> Phone {
        try await bank.activate(account, on: [phone])
        return phone
    }

    /// A payment and its correct code.
    fileprivate func approval(in bank: Bank) async throws -> (Phone, Transaction, Attempt) {
        let phone = try await activated(in: bank)
        let payment = try await bank.pay(from: account)
        return (phone, payment, try await phone.attempt(over: .approval(of: payment), in: bank))
    }
}
