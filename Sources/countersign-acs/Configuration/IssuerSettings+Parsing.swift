import ConfigurationFiles
import Localization
import ThreeDSIssuer
import Transactions

/// The words of the member `informationOnly`.
enum InformationWish: String, CaseIterable {
    case riskAnalysed, alreadyAuthenticated

    var wish: ChallengeWish {
        switch self {
        case .riskAnalysed: .riskAnalysed
        case .alreadyAuthenticated: .alreadyAuthenticated
        }
    }
}

extension IssuerSettings {
    init(_ section: ConfigurationSection, isSandbox: Bool) throws(ConfigurationFailure) {
        self.init()
        approvalSeconds = try section.number("approvalSeconds")
        language = try section.word("language") ?? .english
        if let texts = try section.optionalSection("texts") {
            heading = try texts.text("heading", atMost: 45) ?? heading
            reason = try texts.text("reason", atMost: 256) ?? reason
        }
        logo = try section.logo("images", isSandbox: isSandbox)
        webDevice = try section.optionalWebAddress("webDevice", isSandbox: isSandbox)
        allowsConsent = try section.boolean("consent")
        takesNonPayments = try section.boolean("nonPayments")
        offersDecoupled = try section.boolean("decoupled")
        maximumLiveChallenges = try section.number("liveChallenges")
        informationOnly = try section.wishes("informationOnly")
        lowValue = try section.optionalSection("frictionless").map(LowValueRule.init(_:))
        // The verifier counts the one kind, and the ACS the other one. Article 16 limits both together.
        if allowsConsent, lowValue != nil {
            throw section.failure("frictionless", "cannot be set while consent is true")
        }
    }
}

extension ConfigurationSection {
    fileprivate func optionalWebAddress(
        _ name: String,
        atMost maximum: Int = 256,
        isSandbox: Bool
    ) throws(ConfigurationFailure) -> WebAddress? {
        guard let text = try optionalText(name) else { return nil }
        guard text.utf8.count <= maximum, let address = WebAddress(text, isSandbox: isSandbox)
        else {
            throw failure(name, "must be a URL with https of at most \(maximum) characters")
        }
        return address
    }

    /// A text of the bank in both languages; nil for that of the ACS.
    fileprivate func text(
        _ name: String,
        atMost maximum: Int
    ) throws(ConfigurationFailure) -> LocalizedText? {
        guard let languages = try optionalSection(name) else { return nil }
        func text(_ language: Language) throws(ConfigurationFailure) -> String {
            let text = try languages.text(language.rawValue)
            // Each rule has the same hint, so the reason is not needed: `try?`.
            guard let shown = try? DisplayText(text), shown.count <= maximum else {
                throw languages.failure(
                    language.rawValue,
                    "must be a text of at most \(maximum) characters, without hidden ones"
                )
            }
            return text
        }
        return LocalizedText(try text(.english), german: try text(.german))
    }

    func logo(_ name: String, isSandbox: Bool) throws(ConfigurationFailure) -> Logo? {
        guard let section = try optionalSection(name) else { return nil }
        func address(_ name: String) throws(ConfigurationFailure) -> WebAddress? {
            // The page has two of them, and at most 8 KB.
            try section.optionalWebAddress(name, atMost: 128, isSandbox: isSandbox)
        }
        guard let medium = try address("medium") else {
            throw section.failure("medium", "is missing")
        }
        var logo = Logo(medium)
        logo.high = try address("high")
        logo.extraHigh = try address("extraHigh")
        logo.dark = try address("dark")
        logo.monochrome = try address("monochrome")
        return logo
    }

    fileprivate func wishes(_ name: String) throws(ConfigurationFailure) -> Set<ChallengeWish> {
        let wishes = try (optionalTexts(name) ?? []).map { text throws(ConfigurationFailure) in
            guard let wish = InformationWish(rawValue: text) else {
                let allowed = InformationWish.allCases.map(\.rawValue).joined(separator: ", ")
                throw failure(name, "can contain only \(allowed)")
            }
            return wish.wish
        }
        return Set(wishes)
    }
}

extension LowValueRule {
    fileprivate init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        guard let currency = Currency(try section.text("currency")) else {
            throw section.failure("currency", "is not the code of a currency, such as EUR")
        }
        self.init(
            currency,
            maximum: UInt64(try section.number("maximum")),
            maximumTotal: UInt64(try section.number("total")),
            maximumCount: try section.number("count")
        )
    }
}
