import Localization

/// The texts of the pages in the shopper's browser that `IssuerText` does not have.
enum PageText {
    static let compare = LocalizedText(
        "Approve the request on your device only if it shows the same as this page.",
        german: "Geben Sie die Anfrage auf Ihrem Gerät nur frei, wenn sie dasselbe zeigt wie diese "
            + "Seite."
    )
    static let amount = LocalizedText("Amount", german: "Betrag")
    static let purpose = LocalizedText("Purpose", german: "Zweck")
    static let timeLeft = LocalizedText("Time left", german: "Restzeit")
    static let number = LocalizedText(
        "Number to type on your device",
        german: "Zahl zum Eingeben auf Ihrem Gerät"
    )
    static let approveHere = LocalizedText(
        "Approve on this device",
        german: "Auf diesem Gerät freigeben"
    )
    static let cancelPayment = LocalizedText("Cancel the payment", german: "Zahlung abbrechen")
    static let cancel = LocalizedText("Cancel", german: "Abbrechen")

    // The status.

    static let waiting = LocalizedText(
        "Waiting for your approval.",
        german: "Ihre Freigabe wird erwartet."
    )
    static let offline = LocalizedText(
        "Your bank cannot be reached. This page tries again.",
        german: "Ihre Bank ist nicht erreichbar. Diese Seite versucht es erneut."
    )

    // The last page.

    static let back = LocalizedText("Back to the shop", german: "Zurück zum Händler")
    static let finished = LocalizedText(
        "Your bank has finished. The shop shows the result.",
        german: "Ihre Bank ist fertig. Der Händler zeigt das Ergebnis."
    )
    static let timedOut = LocalizedText(
        "The time for the approval is over. The shop shows the result.",
        german: "Die Zeit für die Freigabe ist abgelaufen. Der Händler zeigt das Ergebnis."
    )
    static let proceed = LocalizedText("Continue", german: "Weiter")

    // Pages that end a challenge without a result.

    static let malformed = LocalizedText(
        "The request cannot be read",
        german: "Die Anfrage ist nicht lesbar"
    )
    static let malformedDetails = LocalizedText(
        "Your bank cannot read the request of the shop. You have approved nothing. "
            + "Go back to the shop, and try again.",
        german: "Ihre Bank kann die Anfrage des Händlers nicht lesen. Sie haben nichts "
            + "freigegeben. Gehen Sie zurück zum Händler, und versuchen Sie es erneut."
    )
    static let unknown = LocalizedText(
        "There is no request at this address",
        german: "Unter dieser Adresse gibt es keine Anfrage"
    )
    static let unknownDetails = LocalizedText(
        "The request has ended. The shop shows the result.",
        german: "Die Anfrage ist beendet. Der Händler zeigt das Ergebnis."
    )
    static let unavailable = LocalizedText(
        "Your bank is not available",
        german: "Ihre Bank ist nicht verfügbar"
    )
    static let unavailableDetails = LocalizedText(
        "Try again in a few seconds.",
        german: "Versuchen Sie es in einigen Sekunden erneut."
    )
    static let tryAgain = LocalizedText("Try again", german: "Erneut versuchen")
}
