package import Localization

/// The facts that every page of a response needs.
package struct PageContext: Sendable {
    package let language: Language
    package let nonce: PageNonce
    /// Whether shops on this machine, without TLS, may show the page and get its result.
    package let isSandbox: Bool

    package init(language: Language, nonce: PageNonce, isSandbox: Bool) {
        self.language = language
        self.nonce = nonce
        self.isSandbox = isSandbox
    }
}
