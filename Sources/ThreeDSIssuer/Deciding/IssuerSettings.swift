package import Localization

/// The operator's choices that decide about AReqs and about the texts for people.
package struct IssuerSettings: Sendable {
    /// `acsReferenceNumber`; the default is not one of an approved ACS.
    package var referenceNumber = "COUNTERSIGN-TEST-0001"
    /// The language of everything that the ACS lets a person read.
    package var language = Language.english
    /// The heading of the challenge page.
    package var heading: LocalizedText = IssuerText.header
    /// The response to "Why is this needed?" in an app.
    package var reason: LocalizedText = IssuerText.reason
    /// The image of the bank.
    package var logo: Logo?
    /// The images of the schemes.
    package var schemeLogos: [DirectoryID: Logo] = [:]
    /// The page of the web device, which the challenge page in a browser links to; nil for no link.
    package var webDevice: WebAddress?
    /// How long a person has to approve, unless the protocol or the verifier's policy ends earlier.
    package var approvalSeconds = 120
    /// Whether cards can be confirmed without a payment (message category 02).
    package var takesNonPayments = true
    /// Requestors that want no challenge, and get none, in addition to `dataOnly`.
    ///
    /// The purchase is then not authenticated. Only `riskAnalysed` and `alreadyAuthenticated` count.
    package var informationOnly: Set<ChallengeWish> = []
    package var offersDecoupled = false
    /// Nil if every payment needs an approval.
    package var lowValue: LowValueRule?
    /// Whether a payment can be approved with the device alone, up to the verifier's own ceiling.
    ///
    /// Such an approval is not a strong customer authentication.
    package var allowsConsent = false
    /// The maximum of challenges without a result, of all cards and over all nodes.
    ///
    /// The default is the number of connections that a node accepts from apps and browsers.
    package var maximumLiveChallenges = 10_000

    package init() {}

    func logos(of directory: DirectoryID) -> ChallengeLogos {
        var logos = ChallengeLogos()
        (logos.issuer, logos.scheme) = (logo, schemeLogos[directory])
        return logos
    }
}
