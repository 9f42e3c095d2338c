import Localization
import StrictJSON
package import ThreeDSProtocol

/// The page in the shop's app: the person approves on their own device.
package struct ChallengePage: Sendable {
    /// `ApprovalRequest.summary`.
    let summary: String
    /// The number that the person types on their device, if the verifier demands one.
    let number: String?
    /// Whether nothing notifies the person, as the readiness stated.
    let isMuted: Bool
    /// False if the verifier did not accept the request yet.
    let isRequested: Bool
    /// Whether the request expired, and another one is possible.
    package var isExpired = false
    /// The result of another notification; nil if the shopper wanted none.
    package var notification: NotificationReport?
    package var logos = ChallengeLogos()

    package init(summary: String, number: String?, isMuted: Bool, isRequested: Bool = true) {
        self.summary = summary
        self.number = number
        self.isMuted = isMuted
        self.isRequested = isRequested
    }
}

extension CardAuthentication {
    /// A CRes that does not end the challenge; the secure channel adds its counter.
    package func message(
        _ page: ChallengePage,
        isRepeated: Bool,
        by settings: IssuerSettings
    ) -> Message {
        let language = settings.language
        let note = page.note(isRepeated: isRepeated)?.text(in: language)
        // Version 2.3.1 has no element for the note.
        let isNoteInText = version >= .twoThree
        var lines = isNoteInText ? [note].compactMap { $0 } : []
        lines.append(page.summary)
        if let number = page.number { lines.append(IssuerText.number(number).text(in: language)) }
        // A person who was notified again needs no such hint, and the text has a maximum length.
        if page.isMuted, page.isRequested, page.notification == nil {
            lines.append(IssuerText.muted.text(in: language))
        }
        let texts: [JSONValue.Member] = .init(texts: [
            "challengeCompletionInd": "N", "acsUiType": "04",
            "challengeInfoHeader": settings.heading.text(in: language),
            "challengeInfoText": lines.joined(separator: "\n"),
            "challengeAddInfo": isNoteInText ? nil : note,
            "oobContinueLabel": page.continueLabel.text(in: language),
            "whyInfoLabel": IssuerText.why.text(in: language),
            "whyInfoText": settings.reason.text(in: language),
        ])
        return Message(.cres, version, challengeIDs + texts + page.logos.elements(in: version))
    }

    /// The CRes that ends the challenge in the app or in the browser.
    ///
    /// It shows the shop's app or page how to go on. The shop decides by the RReq.
    package func lastMessage(_ status: ResultReport.Status) -> Message {
        // Browsers ignore the element up to version 2.2.0, and later ones do not have it.
        let completes = channel == .app || version < .twoThree
        return Message(
            .cres,
            version,
            challengeIDs
                + .init(texts: [
                    "challengeCompletionInd": completes ? "Y" : nil,
                    // A challenge never ends undetermined.
                    "transStatus": status == .authenticated ? "Y" : "N",
                ])
        )
    }
}

extension ChallengePage {
    /// In an app, this is the only button that each page has.
    fileprivate var continueLabel: LocalizedText {
        isExpired ? IssuerText.askAgain : IssuerText.approved
    }

    fileprivate func note(isRepeated: Bool) -> LocalizedText? {
        if isExpired { return IssuerText.expired }
        guard isRequested else { return IssuerText.notRequested }
        return notification?.note.text ?? (isRepeated ? IssuerText.notYet : nil)
    }
}
