import OneTimePassword
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// One refusal of the verifier, with the steps that cause it.
struct RefusalTrial: Sendable, CustomTestStringConvertible {
    struct Prepared {
        let expected: Problem
        /// True if the request writes anything.
        var isCharged = false
        let call: () async throws -> Problem?
    }

    let name: String
    let prepare: @Sendable (ServedBank, Phone) async throws -> Prepared

    init(
        _ name: String,
        _ prepare: @escaping @Sendable (ServedBank, Phone) async throws -> Prepared
    ) {
        self.name = name
        self.prepare = prepare
    }

    var testDescription: String { name }
}

extension RefusalTrial {
    static let all = transactions + codes + positions + devices
}

// MARK: Transactions

extension RefusalTrial {
    private static let transactions = [
        RefusalTrial("an unknown transaction is fetched") { server, phone in
            Prepared(expected: .unknownTransaction) {
                try await phone.fetch(TransactionID(checked: "none"), of: server)
            }
        },
        RefusalTrial("a transaction of another account is decided") { server, phone in
            let (account, _) = try await server.bank.activate("4712")
            let payment = try await server.bank.pay(from: account)
            return Prepared(expected: .unknownTransaction) {
                try await phone.decide(on: payment, at: server)
            }
        },
        RefusalTrial("an expired transaction is fetched") { server, phone in
            let payment = try await server.bank.pay()
            server.bank.clock.advance(by: .seconds(120))
            return Prepared(expected: .transactionExpired) {
                try await phone.fetch(payment.id, of: server)
            }
        },
        RefusalTrial("an expired transaction is decided") { server, phone in
            let payment = try await server.bank.pay()
            server.bank.clock.advance(by: .seconds(120))
            return Prepared(expected: .transactionExpired) {
                try await phone.decide(on: payment, at: server)
            }
        },
        RefusalTrial("an approved transaction is fetched") { server, phone in
            let payment = try await server.bank.pay()
            try await phone.decide(on: payment, in: server.bank)
            return Prepared(expected: .transactionAlreadyDecided(.approved)) {
                try await phone.fetch(payment.id, of: server)
            }
        },
        RefusalTrial("a rejected transaction is decided") { server, phone in
            let payment = try await server.bank.pay()
            try await phone.decide(.reject(.wrongDetails), on: payment, in: server.bank)
            return Prepared(expected: .transactionAlreadyDecided(.rejected)) {
                try await phone.decide(on: payment, at: server)
            }
        },
        RefusalTrial("a withdrawn transaction is decided") { server, phone in
            let payment = try await server.bank.pay()
            _ = try await server.bank.verifier.withdraw(
                payment.id,
                of: Bank.account,
                by: Bank.core
            )
            return Prepared(expected: .transactionAlreadyDecided(.withdrawn)) {
                try await phone.decide(on: payment, at: server)
            }
        },
        RefusalTrial("SEC-65: consent is not enough for the transaction") { server, phone in
            let payment = try await server.bank.pay(by: [.userPIN])
            return Prepared(expected: .authenticationTypeNotAllowed) {
                try await phone.decide(.approve(.consent), on: payment, at: server)
            }
        },
        RefusalTrial("SEC-117: a new device approves a large payment") { server, _ in
            try await server.bank.makeNewDevicesWait()
            server.bank.clock.advance(by: .seconds(1))
            let device = try await server.bank.activate()
            let payment = try await server.bank.pay()
            let end = server.bank.clock.now + .seconds(24 * 60 * 60)
            return Prepared(expected: .deviceWaiting(until: end)) {
                try await device.decide(on: payment, at: server)
            }
        },
        RefusalTrial("SEC-113: a web device approves a large payment") { server, _ in
            try await server.bank.setPolicy(Bank.webPolicy(ceiling: 1))
            let device = try await server.bank.activateBrowser()
            let payment = try await server.bank.pay()
            return Prepared(expected: .amountAboveCeiling) {
                try await device.decide(on: payment, at: server)
            }
        },
        RefusalTrial("SEC-34: the signature covers another transaction") { server, phone in
            let (payment, other) = (try await server.bank.pay(), try await server.bank.pay())
            let decision = try await phone.decision(on: payment, over: other, in: server.bank)
            return Prepared(expected: .invalidArgument) {
                try await phone.call(DecisionExchange.self, decision, of: server).problem
            }
        },
        RefusalTrial("an attempt id is reused for another purpose") { server, phone in
            let attempt = try AttemptID.random()
            try await phone.checkPIN(attempt: attempt, in: server.bank)
            let payment = try await server.bank.pay()
            let decision = try await phone.decision(
                on: payment,
                attempt: attempt,
                in: server.bank
            )
            return Prepared(expected: .invalidArgument) {
                try await phone.call(DecisionExchange.self, decision, of: server).problem
            }
        },
    ]
}

// MARK: Codes

extension RefusalTrial {
    private static let codes = [
        RefusalTrial("SEC-45: a wrong PIN at a decision") { server, phone in
            let payment = try await server.bank.pay()
            return Prepared(expected: .authenticationFailed(attemptsLeft: 4), isCharged: true) {
                try await phone.decide(on: payment, with: .wrong, at: server)
            }
        },
        RefusalTrial("SEC-45: a wrong PIN at a login") { server, phone in
            Prepared(expected: .authenticationFailed(attemptsLeft: 4), isCharged: true) {
                let login = try await phone.login(with: .wrong, in: server.bank)
                return try await phone.call(LoginExchange.self, login, of: server).problem
            }
        },
        RefusalTrial("SEC-45: a wrong PIN at a rekey") { server, phone in
            let proposal = try await phone.rekey(with: .wrong, in: server.bank)
            return Prepared(expected: .authenticationFailed(attemptsLeft: 4), isCharged: true) {
                let rekey = try await phone.rekey(proposal, with: .wrong, in: server.bank)
                return try await phone.call(RekeyExchange.self, rekey, of: server).problem
            }
        },
        RefusalTrial("SEC-09: the fifth wrong PIN") { server, phone in
            for _ in 0..<4 { try await phone.checkPIN(with: .wrong, in: server.bank) }
            let end = server.bank.clock.now + .seconds(1800)
            return Prepared(expected: .credentialLocked(.until(end)), isCharged: true) {
                try await phone.checkPIN(.wrong, at: server)
            }
        },
        RefusalTrial("SEC-10: the right PIN while it is locked") { server, phone in
            try await phone.failUntilLocked(in: server.bank)
            let end = server.bank.clock.now + .seconds(1800)
            return Prepared(expected: .credentialLocked(.until(end))) {
                try await phone.checkPIN(at: server)
            }
        },
        RefusalTrial("SEC-10: the wrong PIN that locks permanently") { server, phone in
            for _ in 0..<2 {
                try await phone.failUntilLocked(in: server.bank)
                server.bank.clock.advance(by: .seconds(24 * 60 * 60))
            }
            for _ in 0..<4 { try await phone.checkPIN(with: .wrong, in: server.bank) }
            return Prepared(expected: .credentialLocked(.never), isCharged: true) {
                try await phone.checkPIN(.wrong, at: server)
            }
        },
        RefusalTrial("SEC-10: the right PIN after the permanent lock") { server, phone in
            try await phone.guessUntilBlocked(in: server.bank)
            return Prepared(expected: .credentialLocked(.never)) {
                try await phone.checkPIN(at: server)
            }
        },
        RefusalTrial("a list for a permanently locked device") { server, phone in
            try await phone.guessUntilBlocked(in: server.bank)
            return Prepared(expected: .credentialLocked(.never)) {
                try await phone.call(TransactionListExchange.self, NoContent(), of: server).problem
            }
        },
        RefusalTrial("a credential that the bank disabled") { server, phone in
            try await server.bank.setEnabled(false, phone)
            return Prepared(expected: .authenticationTypeNotAllowed) {
                try await phone.checkPIN(at: server)
            }
        },
        RefusalTrial("a login by consent") { server, phone in
            let login = try await phone.login(by: .consent, in: server.bank)
            return Prepared(expected: .authenticationTypeNotAllowed) {
                try await phone.call(LoginExchange.self, login, of: server).problem
            }
        },
    ]

    private static let positions = [
        RefusalTrial("a counter out of reach") { server, phone in
            try await phone.checkPIN(in: server.bank)
            let far = Counter(2 + Credential.reach)
            return Prepared(expected: .counterOutOfStep(.at(1))) {
                let check = try await phone.pinCheck(at: far, in: server.bank)
                return try await phone.call(PINCheckExchange.self, check, of: server).problem
            }
        },
        RefusalTrial("SEC-55: a used counter, which raises one alarm") {
            server,
            phone in
            for _ in 0..<2 { try await phone.checkPIN(in: server.bank) }
            try await phone.checkPIN(at: Counter(0), in: server.bank)
            return Prepared(expected: .counterOutOfStep(.at(2))) {
                let check = try await phone.pinCheck(at: Counter(0), in: server.bank)
                return try await phone.call(PINCheckExchange.self, check, of: server).problem
            }
        },
        RefusalTrial("a code of another generation") { server, phone in
            let envelope = try await phone.pinCheck(in: server.bank).envelope
            let other = envelope.with(generation: Generation(7))
            return Prepared(expected: .counterOutOfStep(.at(0))) {
                try await phone.call(
                    PINCheckExchange.self,
                    PINCheckExchange.Request(envelope: other),
                    of: server
                ).problem
            }
        },
        RefusalTrial("a code from before a restore") { server, phone in
            let check = try await phone.pinCheck(in: server.bank)
            try await server.bank.raiseEpoch()
            return Prepared(expected: .counterOutOfStep(.at(0, in: Epoch(1)))) {
                try await phone.call(PINCheckExchange.self, check, of: server).problem
            }
        },
        RefusalTrial("a rekey that skips a generation") { server, phone in
            let proposal = try await phone.rekey(.device, skipping: 1, in: server.bank)
            let rekey = try await phone.rekey(proposal, in: server.bank)
            return Prepared(expected: .counterOutOfStep(.at(0))) {
                try await phone.call(RekeyExchange.self, rekey, of: server).problem
            }
        },
        RefusalTrial("a rejection out of step names its own credential") { server, phone in
            let payment = try await server.bank.pay()
            let rejection = DecisionExchange.Choice.reject(.notMe)
            let envelope = try await phone.decision(rejection, on: payment, in: server.bank)
                .envelope
            let other = envelope.with(counter: Counter(1 + Credential.reach))
            try await phone.checkPIN(in: server.bank)
            let decision = try phone.decision(rejection, on: payment, other)
            return Prepared(expected: .counterOutOfStep(.at(0))) {
                try await phone.call(DecisionExchange.self, decision, of: server).problem
            }
        },
    ]
}

// MARK: Devices

extension RefusalTrial {
    private static let devices =
        routes + [
            RefusalTrial("SEC-54: status of a revoked device, without responses to codes") {
                server,
                phone in
                try await server.bank.revoke(phone)
                return Prepared(expected: .deviceRevoked) {
                    let codes = UnansweredRequest.codes(below: Counter(5))
                    return try await phone.call(StatusExchange.self, .init(codes), of: server)
                        .problem
                }
            }
        ]

    private static let routes = DeviceRoute.allCases.filter { !$0.isActivation }.map { route in
        RefusalTrial("SEC-54: \(route) of a revoked device") { server, phone in
            let payment = try await server.bank.pay()
            let proposal = try await phone.rekey(in: server.bank)
            let rekey = try await phone.rekey(proposal, in: server.bank)
            try await server.bank.revoke(phone)
            return Prepared(expected: .deviceRevoked) {
                try await phone.call(route, payment, rekey, of: server)
            }
        }
    }
}

extension DeviceRoute {
    fileprivate var isActivation: Bool { self == .activationClaim || self == .activationCommit }
}

extension CredentialPosition {
    fileprivate static func at(
        _ counter: UInt64,
        in epoch: Epoch = Epoch(0)
    ) -> CredentialPosition {
        CredentialPosition(generation: .first, epoch: epoch, minimumCounter: Counter(counter))
    }
}

extension Phone {
    fileprivate func fetch(
        _ id: TransactionID,
        of server: ServedBank
    ) async throws -> Problem? {
        let request = TransactionExchange.Request(transaction: id)
        return try await call(TransactionExchange.self, request, of: server).problem
    }

    fileprivate func decide(
        _ choice: DecisionExchange.Choice = .approve(.userPIN),
        on transaction: Transaction,
        with pin: PIN = .right,
        at server: ServedBank
    ) async throws -> Problem? {
        let decision = try await decision(choice, on: transaction, with: pin, in: server.bank)
        return try await call(DecisionExchange.self, decision, of: server).problem
    }

    fileprivate func checkPIN(_ pin: PIN = .right, at server: ServedBank) async throws -> Problem? {
        let check = try await pinCheck(with: pin, in: server.bank)
        return try await call(PINCheckExchange.self, check, of: server).problem
    }

    /// A request that is valid except for its device.
    fileprivate func call(
        _ route: DeviceRoute,
        _ payment: Transaction,
        _ rekey: RekeyExchange.Request,
        of server: ServedBank
    ) async throws -> Problem? {
        switch route {
        case .activationClaim, .activationCommit: throw Bank.Unexpected()
        case .status: try await call(StatusExchange.self, .init(), of: server).problem
        case .transactionList:
            try await call(TransactionListExchange.self, NoContent(), of: server).problem
        case .transaction: try await fetch(payment.id, of: server)
        case .decision: try await decide(on: payment, at: server)
        case .login:
            try await call(LoginExchange.self, try await login(in: server.bank), of: server).problem
        case .pinCheck: try await checkPIN(at: server)
        case .rekey: try await call(RekeyExchange.self, rekey, of: server).problem
        case .biometricRemoval:
            try await call(
                BiometricRemovalExchange.self,
                BiometricRemovalExchange.Request(attempt: .random()),
                of: server
            ).problem
        case .push:
            try await call(
                PushExchange.self,
                PushExchange.Request(attempt: .random(), setting: .events),
                of: server
            ).problem
        case .events:
            try await call(EventsExchange.self, NoContent(), of: server).problem
        case .accountChanges:
            try await call(AccountChangesExchange.self, NoContent(), of: server).problem
        case .deletion:
            try await call(
                DeletionExchange.self,
                DeletionExchange.Request(attempt: .random()),
                of: server
            ).problem
        }
    }
}
