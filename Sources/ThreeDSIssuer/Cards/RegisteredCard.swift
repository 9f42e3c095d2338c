import BankIntegration
import StrictJSON

/// The content of a call that adds a card.
///
/// No message has a value of it, because the number is one. The memory of the number is wiped when
/// it is freed: see `WipingAllocator`.
struct RegisteredCard: RequestContent {
    let number: String
    let account: CardAccount
    /// False for cards without a check digit.
    let comparesCheckDigit: Bool

    init?(_ value: CheckedValue) {
        guard let object = value.object(["number", "account", "checkDigit"]) else { return nil }
        let number = object.required("number")?.hidden().string()
        let account = object.required("account").flatMap { Self.account($0.hidden()) }
        comparesCheckDigit = object.optional("checkDigit")?.boolean() ?? true
        guard let number, let account else { return nil }
        (self.number, self.account) = (number, account)
    }

    private static func account(_ value: CheckedValue) -> CardAccount? {
        guard let text = value.string() else { return nil }
        if let account = CardAccount(text) { return account }
        value.violates(.notAllowed, "Must be ENTERPRISE/TYPE/ID, such as bank/main/4711.")
        return nil
    }
}

extension RegisteredCard: CustomStringConvertible, CustomReflectable {
    var description: String { "<card>" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
