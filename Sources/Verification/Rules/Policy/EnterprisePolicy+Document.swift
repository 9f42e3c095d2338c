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
        let read: PolicyDocument
        do throws(StrictJSON.Failure) {
            read = try StrictJSON.decode(from: Array(document.utf8))
        } catch {
            throw .document(error)
        }
        self = try read.policy()
        guard forDevices.bytes.count <= ActivationOffer.maximumPolicy else {
            throw .member("/returnAddresses")
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
                at: "/transactionSeconds"
            ),
            push: try pushPolicy(),
            lock: try lockPolicy(),
            pin: try pinPolicy(),
            lookAhead: try typedLookAhead(),
            resynchronisationReach: try reach(),
            minimumTokenDigits: try tokenDigits(),
            activationLifetime: try duration(
                activationSeconds ?? 24 * 60 * 60,
                within: 60...30 * 24 * 60 * 60,
                at: "/activationSeconds"
            ),
            codeInActivationURI: codeInActivationURI ?? false,
            devicesPerAccount: try number(
                devicesPerAccount ?? 5,
                within: 1...20,
                at: "/devicesPerAccount"
            ),
            linksAccounts: linksAccounts ?? true,
            returnAddresses: try addresses()
        )
    }

    private func authenticationTypes() throws(Failure) -> AuthenticationTypes {
        var types: AuthenticationTypes = []
        let names = authentication ?? [AuthenticationType.userPIN.rawValue]
        for (index, name) in names.enumerated() {
            guard let type = AuthenticationType(rawValue: name), !types.contains(type) else {
                throw .member("/authentication/\(index)")
            }
            types.insert(AuthenticationTypes(type))
        }
        guard !types.isEmpty else { throw .member("/authentication") }
        return types
    }

    private func ceilings() throws(Failure) -> [Amount] {
        var amounts: [Amount] = []
        for (index, ceiling) in (consentCeilings ?? []).enumerated() {
            guard
                let currency = Currency(ceiling.currency),
                !amounts.contains(where: { $0.currency == currency })
            else { throw .member("/consentCeilings/\(index)/currency") }
            guard let amount = Amount(minorUnits: ceiling.minorUnits, currency: currency) else {
                throw .member("/consentCeilings/\(index)/minorUnits")
            }
            amounts.append(amount)
        }
        return amounts
    }

    private func numberLength() throws(Failure) -> TypedNumber.Length? {
        guard let digits = numberMatchingDigits, digits != 0 else { return nil }
        guard let length = TypedNumber.Length(rawValue: digits) else {
            throw .member("/numberMatchingDigits")
        }
        return length
    }

    private func labels() throws(Failure) -> [EnterprisePolicy.RequiredFields] {
        var required: [EnterprisePolicy.RequiredFields] = []
        for (index, entry) in (requiredFields ?? []).enumerated() {
            guard
                let context = Transaction.Context(name: entry.context),
                !required.contains(where: { $0.context == context })
            else { throw .member("/requiredFields/\(index)/context") }
            var labels: [DisplayText] = []
            for (number, text) in entry.labels.enumerated() {
                // The policy error does not depend on the reason.
                guard let label = try? DisplayText(text) else {
                    throw .member("/requiredFields/\(index)/labels/\(number)")
                }
                labels.append(label)
            }
            required.append(EnterprisePolicy.RequiredFields(context: context, labels: labels))
        }
        return required
    }

    private func addresses() throws(Failure) -> [ReturnAddress] {
        var addresses: [ReturnAddress] = []
        for (index, text) in (returnAddresses ?? []).enumerated() {
            guard let address = ReturnAddress(text) else {
                throw .member("/returnAddresses/\(index)")
            }
            addresses.append(address)
        }
        return addresses
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
