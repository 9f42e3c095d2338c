import StrictJSON
import ThreeDSProtocol

/// The addresses of an image of the bank or of the card scheme.
///
/// The app or the browser loads it from there. No image is needed: the texts contain everything.
package struct Logo: Sendable {
    let medium: WebAddress
    /// For displays with a higher density.
    package var high: WebAddress?
    package var extraHigh: WebAddress?
    /// For a dark background, from version 2.3.1.
    package var dark: WebAddress?
    package var monochrome: WebAddress?

    package init(_ medium: WebAddress) {
        self.medium = medium
    }

    /// The value of `issuerImage` or `psImage`.
    func element(in version: ProtocolVersion) -> JSONValue {
        let addresses: KeyValuePairs<String, WebAddress?> =
            if version < .twoThree {
                ["medium": medium, "high": high, "extraHigh": extraHigh]
            } else {
                ["default": extraHigh ?? high ?? medium, "dark": dark, "monochrome": monochrome]
            }
        return .object(
            addresses.compactMap { name, address in
                address.map { JSONValue.Member(name: name, value: .string($0.text)) }
            }
        )
    }
}

/// The images of a challenge.
package struct ChallengeLogos: Sendable {
    package var issuer: Logo?
    package var scheme: Logo?

    package init() {}

    /// The elements of a CRes.
    func elements(in version: ProtocolVersion) -> [JSONValue.Member] {
        let logos: KeyValuePairs<String, Logo?> = ["issuerImage": issuer, "psImage": scheme]
        return logos.compactMap { name, logo in
            logo.map { JSONValue.Member(name: name, value: $0.element(in: version)) }
        }
    }

    /// The addresses of the page in a browser.
    var addresses: [WebAddress] { [issuer, scheme].compactMap { $0?.medium } }
}
