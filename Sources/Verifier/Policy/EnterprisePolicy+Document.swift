import OneTimePassword
import StrictJSON
import TransactionApproval

extension EnterprisePolicy {
    /// The policy of an enterprise that sets nothing.
    package static let standard = {
        // An empty document breaks no rule: a test reads it.
        // swift-format-ignore: NeverUseForceTry
        try! EnterprisePolicy(document: "{}")
    }()

    /// Reads a JSON document, in which all that is absent is as in `standard`.
    ///
    /// What law and payment schemes demand cannot be set below them, and a policy that makes
    /// guessing likelier than `ceiling` is refused (SEC-06).
    package init(
        document: String,
        guessingCeiling ceiling: Double = GuessProbability.standardCeiling
    ) throws(Failure) {
        let read: PolicyDocument
        do throws(StrictJSON.Failure) {
            read = try StrictJSON.decode(from: Array(document.utf8))
        } catch {
            throw .document(error)
        }
        self = try read.policy()
        guard forDevices.bytes.count <= ActivationOffer.largestPolicy else {
            throw .returnAddresses
        }
        guard guessProbability.largest <= ceiling else { throw .guessing(guessProbability) }
    }

    package var guessProbability: GuessProbability {
        GuessProbability(
            lock: lock,
            lookAhead: lookAhead.count,
            typedDigits: HOTP.Digits.eight.rawValue,
            tokenDigits: leastTokenDigits?.rawValue,
            leastPINDigits: pin.digitCounts.lowerBound
        )
    }
}

/// The members of a policy document; durations are in whole seconds.
private struct PolicyDocument: Decodable {
    struct Ceiling: Decodable {
        let currency: String
        let minorUnits: UInt64
    }

    struct RequiredFields: Decodable {
        let context: String
        let labels: [String]
    }

    struct PIN: Decodable {
        let leastDigits: Int?
        let mostDigits: Int?
        let allowsFourDigits: Bool?
    }

    struct Lock: Decodable {
        let failures: Int?
        let firstSeconds: Int?
        let temporaryLocks: Int?
        let failuresInWindow: Int?
        let windowSeconds: Int?
    }

    let authentication: [String]?
    let consentCeilings: [Ceiling]?
    let numberMatchingDigits: Int?
    let requiredFields: [RequiredFields]?
    let transactionSeconds: Int?
    let pendingTransactions: Int?
    let requestsInTenMinutes: Int?
    let requestsInADay: Int?
    let lock: Lock?
    let pin: PIN?
    let lookAhead: Int?
    let resynchronisationReach: Int?
    let leastTokenDigits: Int?
    let activationSeconds: Int?
    let devicesPerAccount: Int?
    let linksAccounts: Bool?
    let returnAddresses: [String]?
}

extension PolicyDocument {
    typealias Failure = EnterprisePolicy.Failure

    func policy() throws(Failure) -> EnterprisePolicy {
        EnterprisePolicy(
            authentication: try authenticationTypes(),
            consentCeilings: try ceilings(),
            numberMatching: try numberLength(),
            requiredFields: try labels(),
            transactionLifetime: try duration(
                transactionSeconds ?? 120,
                within: 30...600,
                .transactionLifetime
            ),
            push: try pushPolicy(),
            lock: try lockPolicy(),
            pin: try pinPolicy(),
            lookAhead: try typedLookAhead(),
            resynchronisationReach: try reach(),
            leastTokenDigits: try tokenDigits(),
            activationLifetime: try duration(
                activationSeconds ?? 24 * 60 * 60,
                within: 60...30 * 24 * 60 * 60,
                .activationLifetime
            ),
            devicesPerAccount: try number(
                devicesPerAccount ?? 5,
                within: 1...20,
                .devicesPerAccount
            ),
            linksAccounts: linksAccounts ?? true,
            returnAddresses: try addresses()
        )
    }

    private func authenticationTypes() throws(Failure) -> AuthenticationTypes {
        var types: AuthenticationTypes = []
        for name in authentication ?? [AuthenticationType.userPIN.rawValue] {
            guard let type = AuthenticationType(rawValue: name), !types.contains(type) else {
                throw .authentication
            }
            types.insert(AuthenticationTypes(type))
        }
        guard !types.isEmpty else { throw .authentication }
        return types
    }

    private func ceilings() throws(Failure) -> [Amount] {
        var amounts: [Amount] = []
        for ceiling in consentCeilings ?? [] {
            guard
                let currency = Currency(ceiling.currency),
                let amount = Amount(minorUnits: ceiling.minorUnits, currency: currency),
                !amounts.contains(where: { $0.currency == currency })
            else { throw .consentCeilings }
            amounts.append(amount)
        }
        return amounts
    }

    private func numberLength() throws(Failure) -> TypedNumber.Length? {
        guard let digits = numberMatchingDigits, digits != 0 else { return nil }
        guard let length = TypedNumber.Length(rawValue: digits) else { throw .numberMatching }
        return length
    }

    private func labels() throws(Failure) -> [EnterprisePolicy.RequiredFields] {
        var required: [EnterprisePolicy.RequiredFields] = []
        for entry in requiredFields ?? [] {
            let labels = entry.labels.compactMap { try? DisplayText($0) }
            guard
                let context = Transaction.Context(name: entry.context),
                labels.count == entry.labels.count,
                !required.contains(where: { $0.context == context })
            else { throw .requiredFields }
            required.append(EnterprisePolicy.RequiredFields(context: context, labels: labels))
        }
        return required
    }

    private func pushPolicy() throws(Failure) -> PushPolicy {
        let standard = PushPolicy.standard
        do throws(PushPolicy.Failure) {
            return try PushPolicy(
                pending: pendingTransactions ?? standard.pending,
                inTenMinutes: requestsInTenMinutes ?? standard.inTenMinutes,
                inADay: requestsInADay ?? standard.inADay
            )
        } catch {
            throw .push(error)
        }
    }

    private func lockPolicy() throws(Failure) -> LockPolicy {
        let standard = LockPolicy.standard
        do throws(LockPolicy.Failure) {
            return try LockPolicy(
                failuresBeforeLock: lock?.failures ?? standard.failuresBeforeLock,
                firstLock: lock?.firstSeconds.map { .seconds($0) } ?? standard.firstLock,
                temporaryLocks: lock?.temporaryLocks ?? standard.temporaryLocks,
                failuresInWindow: lock?.failuresInWindow ?? standard.failuresInWindow,
                window: lock?.windowSeconds.map { .seconds($0) } ?? standard.window
            )
        } catch {
            throw .lock(error)
        }
    }

    private func pinPolicy() throws(Failure) -> PINPolicy {
        let standard = PINPolicy.standard.digitCounts
        guard
            let policy = PINPolicy(
                leastDigits: pin?.leastDigits ?? standard.lowerBound,
                mostDigits: pin?.mostDigits ?? standard.upperBound,
                shortPINs: pin?.allowsFourDigits == true ? .allowed : .refused
            )
        else { throw .pin }
        return policy
    }

    private func typedLookAhead() throws(Failure) -> LookAhead {
        guard let lookAhead = LookAhead(exactly: lookAhead ?? LookAhead.typed.count) else {
            throw .lookAhead
        }
        return lookAhead
    }

    private func reach() throws(Failure) -> ResynchronisationReach {
        let standard = ResynchronisationReach.standard.count
        guard
            let reach = ResynchronisationReach(exactly: resynchronisationReach ?? standard)
        else { throw .resynchronisationReach }
        return reach
    }

    private func tokenDigits() throws(Failure) -> HOTP.Digits? {
        guard let leastTokenDigits else { return nil }
        guard let digits = HOTP.Digits(rawValue: leastTokenDigits) else {
            throw .leastTokenDigits
        }
        return digits
    }

    private func addresses() throws(Failure) -> [ReturnAddress] {
        var addresses: [ReturnAddress] = []
        for text in returnAddresses ?? [] {
            guard let address = ReturnAddress(text) else { throw .returnAddresses }
            addresses.append(address)
        }
        return addresses
    }

    private func duration(
        _ seconds: Int,
        within limits: ClosedRange<Int>,
        _ failure: Failure
    ) throws(Failure) -> Duration {
        .seconds(try number(seconds, within: limits, failure))
    }

    private func number(
        _ number: Int,
        within limits: ClosedRange<Int>,
        _ failure: Failure
    ) throws(Failure) -> Int {
        guard limits.contains(number) else { throw failure }
        return number
    }
}

extension Transaction.Context {
    fileprivate init?(name: String) {
        switch name {
        case "payment": self = .payment
        case "action": self = .action
        case "login": self = .login
        default: return nil
        }
    }
}
