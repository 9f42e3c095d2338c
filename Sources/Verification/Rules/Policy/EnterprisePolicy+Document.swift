import OneTimePassword
import StrictJSON
import TransactionApproval

extension EnterprisePolicy {
    /// The defaults.
    package static let `default` = {
        // An empty document is valid: a test reads it.
        // swift-format-ignore: NeverUseForceTry
        try! EnterprisePolicy(document: "{}")
    }()

    /// Reads a JSON document; omitted members use their defaults.
    ///
    /// Limits of law and payment schemes cannot be relaxed. A policy that makes guessing likelier
    /// than `ceiling` is refused (SEC-06).
    package init(
        document: String,
        guessingCeiling ceiling: Double = GuessProbability.defaultCeiling
    ) throws(Failure) {
        let result: CheckedResult<EnterprisePolicy>
        do throws(StrictJSON.Failure) {
            result = try StrictJSON.check(Array(document.utf8), EnterprisePolicy.init)
        } catch {
            throw .document(error)
        }
        switch result {
        case .accepted(let policy): self = policy
        case .refused(let violations): throw .violations(violations)
        }
        guard guessProbability.maximum <= ceiling else { throw .guessing(guessProbability) }
    }

    package var guessProbability: GuessProbability {
        GuessProbability(
            lock: lock,
            lookAhead: lookAhead.count,
            typedDigits: HOTP.Digits.eight.rawValue,
            tokenDigits: minimumTokenDigits?.rawValue,
            minimumPINDigits: pin.digitCounts.lowerBound
        )
    }

    /// The members of a document; durations are in whole seconds.
    private enum Member: String, CaseIterable {
        case authentication, consentCeilings, consecutiveConsents
        case numberMatchingDigits, requiredFields
        case transactionSeconds, pendingTransactions, requestsInTenMinutes, requestsInADay
        case lock, pin, lookAhead, resynchronisationReach, minimumTokenDigits
        case activationSeconds, codeInActivationURI, devicesPerAccount, linksAccounts
        case returnAddresses, allowsTestAccounts, newDevice, webDevices, cards
    }

    private init?(_ document: CheckedValue) {
        guard let members = document.object(Member.allCases.map(\.rawValue)) else { return nil }
        func member(_ member: Member) -> CheckedValue? { members.optional(member.rawValue) }
        func number(_ name: Member, in range: ClosedRange<Int>, default: Int) -> Int {
            member(name)?.integer(in: range) ?? `default`
        }
        let push = PushPolicy(members)
        let cards = member(.cards).map { PushPolicy($0) } ?? .default
        let lock = member(.lock).map { LockPolicy($0) } ?? .default
        let pin = member(.pin).map { PINPolicy($0) } ?? .default
        let lookAhead = LookAhead(
            exactly: number(
                .lookAhead,
                in: 0...LookAhead.maximum,
                default: LookAhead.default.count
            )
        )
        let reach = ResynchronisationReach(
            exactly: number(
                .resynchronisationReach,
                in: 0...ResynchronisationReach.maximum,
                default: ResynchronisationReach.default.count
            )
        )
        guard let push, let cards, let lock, let pin, let lookAhead, let reach else { return nil }
        self.init(
            authentication: member(.authentication)?.authenticationTypes() ?? .userPIN,
            consent: ConsentPolicy(
                ceilings: member(.consentCeilings)?.consentCeilings() ?? [],
                consecutive: number(
                    .consecutiveConsents,
                    in: ConsentPolicy.range,
                    default: ConsentPolicy.range.upperBound
                )
            ),
            newDevice: member(.newDevice).map { NewDevicePolicy($0) } ?? NewDevicePolicy.none,
            webDevices: member(.webDevices).map { WebDevicePolicy($0) } ?? WebDevicePolicy.none,
            numberMatching: member(.numberMatchingDigits)?.numberLength(),
            requiredFields: member(.requiredFields)?.requiredFields() ?? [],
            transactionLifetime: .seconds(
                number(.transactionSeconds, in: 30...600, default: 120)
            ),
            push: push,
            cards: cards,
            lock: lock,
            pin: pin,
            lookAhead: lookAhead,
            resynchronisationReach: reach,
            minimumTokenDigits: member(.minimumTokenDigits)?.codeLength(),
            activationLifetime: .seconds(
                number(.activationSeconds, in: 60...30 * 24 * 60 * 60, default: 24 * 60 * 60)
            ),
            codeInActivationURI: member(.codeInActivationURI)?.boolean() ?? false,
            devicesPerAccount: number(.devicesPerAccount, in: 1...20, default: 5),
            linksAccounts: member(.linksAccounts)?.boolean() ?? true,
            returnAddresses: member(.returnAddresses)?.returnAddresses() ?? [],
            allowsTestAccounts: member(.allowsTestAccounts)?.boolean() ?? false
        )
        if forDevice(isWeb: true).bytes.count > ActivationOffer.maximumPolicy {
            member(.returnAddresses)?.violates(.tooMany, "Must fit into an activation offer.")
        }
        if webDevices.isAllowed, forDevice(isWeb: true).authentication.isEmpty {
            member(.webDevices)?.violates(
                .notAllowed,
                "Web devices need userPIN or consent in authentication."
            )
        }
    }
}

// MARK: Members

extension PushPolicy {
    fileprivate init?(_ value: CheckedValue) {
        let names = ["pendingTransactions", "requestsInTenMinutes", "requestsInADay"]
        guard let members = value.object(names) else { return nil }
        self.init(members)
    }

    /// Other members may exist.
    fileprivate init?(_ members: CheckedObject) {
        func number(_ name: String, limit: Int) -> Int {
            members.optional(name)?.integer(in: 1...limit) ?? limit
        }
        let limits = Self.default
        self.init(
            pending: number("pendingTransactions", limit: limits.pending),
            inTenMinutes: number("requestsInTenMinutes", limit: limits.inTenMinutes),
            inADay: number("requestsInADay", limit: limits.inADay)
        )
    }
}

extension LockPolicy {
    fileprivate init?(_ value: CheckedValue) {
        let names = [
            "failures", "firstSeconds", "temporaryLocks", "failuresInWindow", "windowSeconds",
        ]
        guard let members = value.object(names) else { return nil }
        func number(_ name: String, in range: ClosedRange<Int>, default: Int) -> Int {
            members.optional(name)?.integer(in: range) ?? `default`
        }
        let standard = Self.default
        let failures = number(
            "failures",
            in: Self.failureRange,
            default: standard.failuresBeforeLock
        )
        self.init(
            failuresBeforeLock: failures,
            firstLock: .seconds(
                number(
                    "firstSeconds",
                    in: Self.firstLockRange,
                    default: Self.firstLockRange.lowerBound
                )
            ),
            temporaryLocks: number(
                "temporaryLocks",
                in: Self.temporaryLockRange,
                default: standard.temporaryLocks
            ),
            failuresInWindow: number(
                "failuresInWindow",
                in: failures...standard.failuresInWindow,
                default: standard.failuresInWindow
            ),
            window: .seconds(
                number("windowSeconds", in: Self.windowRange, default: Self.windowRange.lowerBound)
            )
        )
    }
}

extension PINPolicy {
    fileprivate init?(_ value: CheckedValue) {
        let names = ["minimumDigits", "maximumDigits", "allowsFiveDigits"]
        guard let members = value.object(names) else { return nil }
        let allowsFive = members.optional("allowsFiveDigits")?.boolean() ?? false
        let limits = PINPolicy.default.digitCounts
        let minimum =
            members.optional("minimumDigits")?
            .integer(in: (allowsFive ? 5 : limits.lowerBound)...limits.upperBound)
            ?? limits.lowerBound
        let maximum =
            members.optional("maximumDigits")?
            .integer(in: minimum...limits.upperBound) ?? limits.upperBound
        self.init(
            minimumDigits: minimum,
            maximumDigits: maximum,
            shortPINs: allowsFive ? .allowed : .refused
        )
    }
}

extension NewDevicePolicy {
    fileprivate init(_ value: CheckedValue) {
        let members = value.object(["waitingHours", "ceilings"])
        let hours: Int? = members?.optional("waitingHours")?.integer(in: Self.hours)
        self.init(
            waiting: .seconds((hours ?? 0) * 60 * 60),
            ceilings: members?.optional("ceilings")?.amounts() ?? []
        )
    }
}

extension WebDevicePolicy {
    fileprivate init(_ value: CheckedValue) {
        let members = value.object(["allowed", "requiresPRF", "ceilings"])
        self.init(
            isAllowed: members?.optional("allowed")?.boolean() ?? Self.none.isAllowed,
            requiresPRF: members?.optional("requiresPRF")?.boolean() ?? Self.none.requiresPRF,
            ceilings: members?.optional("ceilings")?.amounts()
        )
    }
}

extension CheckedValue {
    fileprivate func consentCeilings() -> [ConsentPolicy.Ceiling] {
        var ceilings: [ConsentPolicy.Ceiling] = []
        for element in elements(0...Int.max) {
            guard
                let members = element.object(["currency", "minorUnits", "totalMinorUnits"]),
                let amount = members.amount(besides: ceilings.map(\.currency))
            else { continue }
            let range = amount.minorUnits...Amount.maximumMinorUnits
            let total = members.optional("totalMinorUnits")?.integer(in: range)
            ceilings.append(ConsentPolicy.Ceiling(amount, totalMinorUnits: total))
        }
        return ceilings
    }

    fileprivate func numberLength() -> TypedNumber.Length? {
        let lengths = TypedNumber.Length.allCases.map { ($0.rawValue, Optional($0)) }
        return number(of: [(0, nil)] + lengths) ?? nil
    }

    fileprivate func codeLength() -> HOTP.Digits? {
        number(of: HOTP.Digits.allCases.map { ($0.rawValue, $0) })
    }

    private func number<Value>(of values: [(number: Int, value: Value)]) -> Value? {
        guard let number: Int = integer(in: 0...Int.max) else { return nil }
        if let found = values.first(where: { $0.number == number }) { return found.value }
        let list = values.map { String($0.number) }.joined(separator: ", ")
        violates(.notAllowed, "Must be one of: \(list).")
        return nil
    }

    fileprivate func requiredFields() -> [EnterprisePolicy.RequiredFields] {
        var required: [EnterprisePolicy.RequiredFields] = []
        for element in elements(0...Int.max) {
            guard let members = element.object(["context", "labels"]) else { continue }
            let context = members.required("context")?.context()
            let labels = members.required("labels")?.elements(0...Int.max)
                .compactMap { $0.displayText() }
            guard let context, let labels else { continue }
            if required.contains(where: { $0.context == context }) {
                members.optional("context")?.violates(.repeated, "Each context can occur once.")
            }
            required.append(EnterprisePolicy.RequiredFields(context: context, labels: labels))
        }
        return required
    }

    fileprivate func returnAddresses() -> [ReturnAddress] {
        elements(0...Int.max).compactMap { element in
            guard let text = element.string() else { return nil }
            if let address = ReturnAddress(text) { return address }
            element.violates(
                .badURL,
                "Must be https or the scheme of an app, and a host, without a path, or https://*."
            )
            return nil
        }
    }
}
