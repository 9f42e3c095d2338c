import Cryptography
import OneTimePassword
import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// Every refusal without a charge; each one has a trial.
enum Uncharged: String, CaseIterable {
    case unknownTransaction, transactionExpired, alreadyDecided, typeNotAllowed
    case consentExhausted, deviceRevoked, deviceWaiting, amountAboveCeiling
    case locked, blocked, credentialDisabled, counterUnconfirmed, generationMismatch
    case epochMismatch, counterOutOfStep, evidenceMismatch, attemptReused, agreementKeyUnknown

    /// Nil if the result is accepted or depends on the code.
    ///
    /// A new refusal without a case here does not compile.
    init?(_ result: AttemptResult) {
        guard case .refused(let refusal) = result else { return nil }
        switch refusal {
        case .unknownTransaction: self = .unknownTransaction
        case .transactionExpired: self = .transactionExpired
        case .alreadyDecided: self = .alreadyDecided
        case .typeNotAllowed: self = .typeNotAllowed
        case .consentExhausted: self = .consentExhausted
        case .deviceRevoked: self = .deviceRevoked
        case .deviceWaiting: self = .deviceWaiting
        case .amountAboveCeiling: self = .amountAboveCeiling
        case .locked: self = .locked
        case .blocked: self = .blocked
        case .credentialDisabled: self = .credentialDisabled
        case .counterUnconfirmed: self = .counterUnconfirmed
        case .generationMismatch: self = .generationMismatch
        case .epochMismatch: self = .epochMismatch
        case .counterOutOfStep: self = .counterOutOfStep
        case .evidenceMismatch: self = .evidenceMismatch
        case .attemptReused: self = .attemptReused
        case .agreementKeyUnknown: self = .agreementKeyUnknown
        case .wrongCode, .codeUsed: return nil
        }
    }
}

/// A request of a thief who has the device and its store but not the PIN.
struct ThiefTrial: Sendable, CustomTestStringConvertible {
    let refusal: Uncharged
    /// Prepares the state; the result sends a request with a right or a wrong PIN.
    let prepare:
        @Sendable (Bank, Phone) async throws -> (
            @Sendable (Bank, Phone.PIN) async throws -> AttemptResult
        )

    var testDescription: String { refusal.rawValue }

    init(
        _ refusal: Uncharged,
        _ prepare:
            @escaping @Sendable (Bank, Phone) async throws -> (
                @Sendable (Bank, Phone.PIN) async throws -> AttemptResult
            )
    ) {
        self.refusal = refusal
        self.prepare = prepare
    }

    static let all = [
        ThiefTrial(.unknownTransaction) { bank, phone in
            let other = Bank.account("4712")
            _ = try await bank.verifier.addAccount(other, by: Bank.core)
            _ = try await bank.activate(other)
            let payment = try await bank.pay(from: other)
            return { bank, pin in try await phone.decide(on: payment, with: pin, in: bank) }
        },
        ThiefTrial(.transactionExpired) { bank, phone in
            let payment = try await bank.pay()
            bank.clock.advance(by: .seconds(120))
            return { bank, pin in try await phone.decide(on: payment, with: pin, in: bank) }
        },
        ThiefTrial(.alreadyDecided) { bank, phone in
            let payment = try await bank.pay()
            try await phone.decide(on: payment, in: bank)
            return { bank, pin in try await phone.decide(on: payment, with: pin, in: bank) }
        },
        ThiefTrial(.typeNotAllowed) { bank, phone in
            let payment = try await bank.pay()
            return { bank, pin in
                try await phone.decide(on: payment, by: .consent, with: pin, in: bank)
            }
        },
        ThiefTrial(.typeNotAllowed) { bank, phone in
            { bank, pin in try await phone.logIn(by: .consent, with: pin, in: bank) }
        },
        ThiefTrial(.consentExhausted) { bank, phone in
            let policy = Bank.consentPolicy(consecutive: 1)
            _ = try await bank.verifier.setPolicy(policy, of: Bank.enterprise, by: Bank.core)
            let (first, second) = (try await bank.pay(1), try await bank.pay(1))
            try await phone.decide(on: first, by: .consent, in: bank)
            return { bank, pin in
                try await phone.decide(on: second, by: .consent, with: pin, in: bank)
            }
        },
        ThiefTrial(.deviceRevoked) { bank, phone in
            let payment = try await bank.pay()
            try await phone.decide(on: payment, in: bank)
            _ = try await bank.verifier.revoke(phone.id, of: Bank.account, by: Bank.core)
            return { bank, pin in try await phone.decide(on: payment, with: pin, in: bank) }
        },
        ThiefTrial(.deviceWaiting) { bank, _ in
            try await bank.makeNewDevicesWait()
            let (device, payment) = (try await bank.activate(), try await bank.pay())
            return { bank, pin in try await device.decide(on: payment, with: pin, in: bank) }
        },
        ThiefTrial(.deviceWaiting) { bank, _ in
            try await bank.makeNewDevicesWait()
            let device = try await bank.activate()
            let code = try await device.typedCode(in: bank)
            return { bank, pin in
                try await device.type(pin == .right ? code : "00000000", in: bank)
            }
        },
        ThiefTrial(.amountAboveCeiling) { bank, _ in
            try await bank.setPolicy(Bank.webPolicy(ceiling: 1))
            let (device, payment) = (try await bank.activateBrowser(), try await bank.pay())
            return { bank, pin in try await device.decide(on: payment, with: pin, in: bank) }
        },
        ThiefTrial(.typeNotAllowed) { bank, _ in
            try await bank.setPolicy(Bank.webPolicy())
            let device = try await bank.activateBrowser()
            let code = try await device.typedCode(in: bank)
            return { bank, pin in
                try await device.type(pin == .right ? code : "00000000", in: bank)
            }
        },
        ThiefTrial(.locked) { bank, phone in
            try await phone.failUntilLocked(in: bank)
            return { bank, pin in try await phone.checkPIN(with: pin, in: bank) }
        },
        ThiefTrial(.locked) { bank, phone in
            let code = try await phone.typedCode(in: bank)
            try await phone.failUntilLocked(in: bank)
            return { bank, pin in
                try await phone.type(pin == .right ? code : "00000000", in: bank)
            }
        },
        ThiefTrial(.blocked) { bank, phone in
            try await phone.block(in: bank)
            return { bank, pin in try await phone.logIn(with: pin, in: bank) }
        },
        ThiefTrial(.credentialDisabled) { bank, phone in
            let account = Bank.account
            _ = try await bank.verifier.setEnabled(
                false,
                .user,
                on: phone.id,
                of: account,
                by: Bank.core
            )
            return { bank, pin in try await phone.checkPIN(with: pin, in: bank) }
        },
        ThiefTrial(.counterUnconfirmed) { bank, phone in
            try await bank.raiseEpoch()
            return { bank, pin in
                let code = try await phone.typedCode(in: bank)
                return try await phone.type(pin == .right ? code : "00000000", in: bank)
            }
        },
        ThiefTrial(.generationMismatch) { bank, phone in
            let old = try await phone.attempt(over: .pinCheck, in: bank)
            let rekey = try await phone.rekey(in: bank)
            _ = try await phone.send(rekey, in: bank)
            let wrong = try await phone.attempt(over: .pinCheck, with: .wrong, in: bank)
            return { bank, pin in
                let code = pin == .right ? old.code.code : wrong.code.code
                let sent = wrong.code.with(attempt: try .random(), generation: .first, code: code)
                return try await bank.verifier.checkPIN(Attempt(device: phone.id, code: sent))
            }
        },
        ThiefTrial(.epochMismatch) { bank, phone in
            let right = try await phone.attempt(over: .pinCheck, in: bank)
            let wrong = try await phone.attempt(over: .pinCheck, with: .wrong, in: bank)
            try await bank.raiseEpoch()
            return { bank, pin in
                try await bank.verifier.checkPIN(try (pin == .right ? right : wrong).withNewID())
            }
        },
        ThiefTrial(.evidenceMismatch) { bank, phone in
            let payment = try await bank.pay()
            let other = try TransactionHash(of: try await bank.pay())
            let question = try InBandQuestion.approval(of: payment)
            return { bank, pin in
                let attempt = try await phone.attempt(over: question, with: pin, in: bank)
                return try await phone.send(on: payment.id, other, attempt, to: bank.verifier)
            }
        },
        ThiefTrial(.generationMismatch) { bank, phone in
            { bank, pin in
                let rekey = try await phone.rekey(.device, with: pin, skipping: 1, in: bank)
                return try await phone.send(rekey, with: pin, in: bank)
            }
        },
        ThiefTrial(.counterOutOfStep) { bank, phone in
            try await phone.checkPIN(in: bank)
            // The first one adds an event, with either PIN.
            try await phone.checkPIN(at: Counter(0), in: bank)
            return { bank, pin in
                try await phone.checkPIN(with: pin, at: Counter(0), in: bank)
            }
        },
        ThiefTrial(.counterOutOfStep) { bank, phone in
            { bank, pin in
                try await phone.checkPIN(with: pin, at: Counter((1 << 20) + 1), in: bank)
            }
        },
        ThiefTrial(.attemptReused) { bank, phone in
            let id = try AttemptID.random()
            try await phone.checkPIN(attempt: id, in: bank)
            return { bank, pin in try await phone.logIn(with: pin, attempt: id, in: bank) }
        },
        ThiefTrial(.agreementKeyUnknown) { _, phone in
            let own = try P256.PrivateKey().publicKey
            return { bank, pin in
                let rekey = try await phone.rekey(with: pin, agreeingWith: own, in: bank)
                return try await phone.send(rekey, with: pin, in: bank)
            }
        },
    ]
}

@Suite(.onAnyStore) struct `A thief with the device but without the PIN` {
    @Test func `gets each kind of refusal without a charge`() {
        #expect(Set(ThiefTrial.all.map(\.refusal)) == Set(Uncharged.allCases))
    }

    @Test(arguments: ThiefTrial.all)
    func `gets no information from a response without a charge`(_ trial: ThiefTrial) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let send = try await trial.prepare(bank, phone)
        let (before, earlier) = (try await bank.state(), try await bank.events().count)
        let wrong = try await send(bank, .wrong)
        let eventsOfWrong = try await bank.events().dropFirst(earlier)
        let right = try await send(bank, .right)
        let eventsOfRight = try await bank.events().dropFirst(earlier + eventsOfWrong.count)
        #expect(wrong == right)
        #expect(Uncharged(wrong) == trial.refusal)
        #expect(Array(eventsOfWrong) == Array(eventsOfRight))
        #expect(try await bank.state() == before)
    }

    @Test(arguments: ThiefTrial.all)
    func `SEC-14: causes no code computation and equal work without a charge`(
        _ trial: ThiefTrial
    ) async throws {
        let (bank, store) = try await countingBank()
        let phone = try await bank.activate()
        let send = try await trial.prepare(bank, phone)
        // One-time work is done before.
        _ = try await send(bank, .wrong)
        let before = store.macCount
        var done: [CountedWork] = []
        for pin in [Phone.PIN.wrong, .right] {
            let counted = try await work {
                let result = try await send(bank, pin)
                #expect(Uncharged(result) != nil)
            }
            done.append(counted)
        }
        #expect(store.macCount == before)
        #expect(done[0] == done[1])
    }

    @Test(arguments: Phone.PIN.allCases)
    func `SEC-14: causes exactly one code computation with a charge`(_ pin: Phone.PIN) async throws
    {
        let (bank, store) = try await countingBank()
        let phone = try await bank.activate()
        let before = store.macCount
        try await phone.checkPIN(with: pin, in: bank)
        #expect(store.macCount == before + 1)
    }

    @Test func `SEC-14: causes equal work with a rekey, whichever PIN sealed the seed`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        func work(_ pin: Phone.PIN, _ expected: AttemptResult) async throws -> CountedWork {
            let rekey = try await phone.rekey(with: pin, in: bank)
            let attempt = try await phone.attempt(
                over: try rekey.request.question(),
                with: .wrong,
                in: bank
            )
            return try await VerificationTests.work {
                let result = try await bank.verifier.rekey(rekey.request, attempt)
                #expect(result == expected)
            }
        }
        // One-time work is done before.
        _ = try await work(.wrong, .wrong(left: 4))
        let wrong = try await work(.wrong, .wrong(left: 3))
        #expect(try await work(.right, .wrong(left: 2)) == wrong)
        #expect(wrong.agreements == 1)
    }

    private func countingBank() async throws -> (Bank, CountingDatabase) {
        let premises = try Premises()
        let store = CountingDatabase(store: try premises.openStore())
        let bank = try Bank(premises, over: store)
        try await bank.verifier.begin()
        try await bank.populate()
        return (bank, store)
    }

    /// Every way in which a code with a valid counter can be wrong.
    enum Wrong: CaseIterable {
        case pin, number, noNumber, data, decision, purpose, counter, credential, flipped
    }

    @Test(arguments: Wrong.allCases)
    func `SEC-45: cannot distinguish which element is wrong`(_ wrong: Wrong) async throws {
        let bank = try await Bank(policy: #"{"numberMatchingDigits": 2}"#)
        let phone = try await bank.activate()
        let (payment, shown) = try await bank.payShowingNumber()
        let (other, _) = try await bank.payShowingNumber()
        let number = try #require(shown)
        let hash = try TransactionHash(of: wrong == .data ? other : payment)
        let typed: TypedNumber? =
            switch wrong {
            case .number: TypedNumber(number.digits == "00" ? "01" : "00")
            case .noNumber: nil
            default: number
            }
        let decision: Decision = wrong == .decision ? .reject(.unspecified) : .approve
        let attempt = try await phone.attempt(
            wrong == .credential ? .device : .user,
            over: wrong == .purpose ? .pinCheck : .decision(hash, decision, typed),
            with: wrong == .pin ? .wrong : .right,
            at: Counter(wrong == .counter ? 1 : 0),
            in: bank
        )
        let code = wrong == .flipped ? try attempt.code.code.flipped() : attempt.code.code
        let sent = Attempt(
            device: phone.id,
            code: attempt.code.with(counter: Counter(0), code: code)
        )
        let result = try await phone.send(on: payment, sent, to: bank.verifier)
        #expect(result == .wrong(left: 4))
        let credential = try await bank.credential(of: phone)
        #expect(credential.credential.counter == Counter(0))
        #expect(credential.failures.consecutiveFailures == 1)
        #expect(try await bank.events().last?.kind == .codeRefused)
        #expect(try await bank.state(of: payment) == .pending)
        #expect(try await phone.decide(on: payment, number: number, in: bank) == .accepted(nil))
    }
}

extension Bank {
    /// All tables except the audit trail, its head and the outbox.
    fileprivate func state() async throws -> [[Row]] {
        Array(try await contents().dropFirst().dropLast(2))
    }
}

extension InBandCode {
    fileprivate func flipped() throws -> InBandCode {
        let first: Character = code.text.first == "0" ? "1" : "0"
        return try #require(InBandCode(OneTimeCode(String(first) + code.text.dropFirst())))
    }
}
