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
    init(_ section: ConfigurationSection) throws(ConfigurationFailure) {
        self.init()
        approvalSeconds = try section.number("approvalSeconds")
        language = try section.word("language") ?? .english
        allowsConsent = try section.boolean("consent")
        takesNonPayments = try section.boolean("nonPayments")
        offersDecoupled = try section.boolean("decoupled")
        maximumLiveChallenges = try section.number("liveChallenges")
        informationOnly = try section.wishes("informationOnly")
        lowValue = try section.optionalSection("frictionless").map(LowValueRule.init(_:))
    }
}

extension ConfigurationSection {
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
