import Localization

/// An attribute of an element.
///
/// Only the attributes below exist. An address is always one that was checked, and none of them
/// contains a script.
struct Attribute: Sendable {
    let name: String
    let value: String

    private init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }

    static let utf8 = Attribute("charset", "utf-8")
    static let viewport = Attribute("name", "viewport")
    static let windowWidth = Attribute("content", "width=device-width,initial-scale=1")
    static let refreshes = Attribute("http-equiv", "refresh")
    static let everyFiveSeconds = Attribute("content", "5")
    static let posts = Attribute("method", "post")
    static let hidden = Attribute("type", "hidden")
    static let status = Attribute("role", "status")
    static let polite = Attribute("aria-live", "polite")
    static let opensTab = Attribute("target", "_blank")
    /// The new tab cannot reach this page, and does not get its address.
    static let hasNoOpener = Attribute("rel", "noopener noreferrer")
    static let hasNoMeaning = Attribute("alt", "")

    static func language(_ language: Language) -> Attribute { Attribute("lang", language.rawValue) }
    static func nonce(_ nonce: PageNonce) -> Attribute { Attribute("nonce", nonce.text) }
    static func name(_ name: String) -> Attribute { Attribute("name", name) }
    static func value(_ value: String) -> Attribute { Attribute("value", value) }
    static func look(_ look: Look) -> Attribute { Attribute("class", look.rawValue) }
    /// The status while the server cannot be reached; the script shows it.
    static func offlineText(_ text: String) -> Attribute { Attribute("data-offline", text) }
    static func state(_ state: PageState) -> Attribute { Attribute("data-state", state.rawValue) }
    static func duration(seconds: Int) -> Attribute { Attribute("datetime", "PT\(seconds)S") }
    static func links(to address: WebAddress) -> Attribute { Attribute("href", address.text) }
    static func links(toPageOf handle: PageHandle) -> Attribute {
        Attribute("href", ChallengeAddresses.pagePath + handle.text)
    }
    static func loads(_ address: WebAddress) -> Attribute { Attribute("src", address.text) }
    static func sends(to address: WebAddress) -> Attribute { Attribute("action", address.text) }

    /// Relative to the page, whose path ends with the handle.
    static func sends(_ action: PageAction, of handle: PageHandle) -> Attribute {
        Attribute("action", "\(handle.text)/\(action.rawValue)")
    }

    /// A class of the style sheet.
    enum Look: String {
        case primary, number, logos
    }
}
