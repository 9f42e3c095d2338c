import AuthenticationHandler
import CommandLineTool

extension Account: ArgumentValue {
    package static var valueName: String { localized("ACCOUNT", german: "ZUGANG") }
    package static var expectation: String {
        localized(
            "an account, as countersign accounts shows it",
            german: "einen Zugang, wie countersign accounts ihn zeigt"
        )
    }

    package init?(argument: String) {
        let names = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 3 else { return nil }
        self.init(enterprise: String(names[0]), type: String(names[1]), id: String(names[2]))
    }
}

extension [Account] {
    /// The first of several accounts, which a command uses if the person named none.
    func assumed(unless named: Account?) -> Account? { named == nil && count > 1 ? first : nil }
}
