import Localization

/// Every text that the ACS lets a person read.
///
/// Texts of the shop are inserted as the display rules show them.
enum IssuerText {
    // On the device of the person who approves.

    static let payment = LocalizedText("Card payment", german: "Kartenzahlung")
    static let confirmation = LocalizedText(
        "Confirm your card",
        german: "Bestätigen Sie Ihre Karte"
    )
    static let card = LocalizedText("Card", german: "Karte")
    static func ending(_ lastFour: String) -> LocalizedText {
        LocalizedText("ending \(lastFour)", german: "Endziffern \(lastFour)")
    }
    static let shop = LocalizedText("Shop", german: "Händler")
    static let shopNumber = LocalizedText("Number of the shop", german: "Nummer des Händlers")
    static let shopClock = LocalizedText("At the shop's clock", german: "Uhr des Händlers")
    static let laterPayment = LocalizedText("Later payment", german: "Spätere Zahlung")
    static let laterPayments = LocalizedText("Later payments", german: "Spätere Zahlungen")
    static func each(_ amount: String) -> LocalizedText {
        LocalizedText("\(amount) each", german: "je \(amount)")
    }
    static let varyingAmounts = LocalizedText(
        "amounts can differ",
        german: "Beträge können sich ändern"
    )
    static func varyingAmounts(from amount: String) -> LocalizedText {
        LocalizedText(
            "\(amount), amounts can differ",
            german: "\(amount), Beträge können sich ändern"
        )
    }
    static let unstatedAmounts = LocalizedText(
        "amounts not stated by the shop",
        german: "Beträge vom Händler nicht genannt"
    )
    static let repeats = LocalizedText("Repeats", german: "Wiederholung")
    static func apart(days: Int) -> LocalizedText {
        LocalizedText(
            days == 1 ? "at least 1 day apart" : "at least \(days) days apart",
            german: days == 1 ? "mindestens 1 Tag Abstand" : "mindestens \(days) Tage Abstand"
        )
    }
    static let noFixedTimes = LocalizedText("at no fixed times", german: "ohne feste Zeiten")
    static func from(_ day: String) -> LocalizedText {
        LocalizedText("from \(day)", german: "ab \(day)")
    }
    static func until(_ day: String) -> LocalizedText {
        LocalizedText("until \(day)", german: "bis \(day)")
    }
    static let instalments = LocalizedText("Instalments", german: "Raten")

    /// The text of one shop is never that of another one.
    ///
    /// The words before the acquirer are longer than its number can be, and no country has a comma.
    static func merchant(
        _ id: String,
        ofAcquirer acquirer: String,
        in country: LocalizedText
    ) -> LocalizedText {
        LocalizedText(
            "shop \(id) of acquirer \(acquirer), \(country.text(in: .english))",
            german: "Händler \(id) der Händlerbank \(acquirer), \(country.text(in: .german))"
        )
    }

    // In the app of the shop.

    static let header = LocalizedText(
        "Approve on your device",
        german: "Auf Ihrem Gerät freigeben"
    )
    static func summary(_ amount: String, to shop: String) -> LocalizedText {
        LocalizedText("\(amount) to \(shop)", german: "\(amount) an \(shop)")
    }
    static func summary(confirmationFor shop: String) -> LocalizedText {
        LocalizedText("Confirm your card for \(shop)", german: "Karte bestätigen für \(shop)")
    }
    static func card(ending lastFour: String) -> LocalizedText {
        LocalizedText("Card ending \(lastFour)", german: "Karte mit Endziffern \(lastFour)")
    }
    /// The lines themselves would not fit into the page of an app.
    static let laterPaymentsOnDevice = LocalizedText(
        "With later payments: see your device",
        german: "Mit späteren Zahlungen: siehe Ihr Gerät"
    )
    static func number(_ digits: String) -> LocalizedText {
        LocalizedText("Number to type: \(digits)", german: "Einzugebende Zahl: \(digits)")
    }
    static let muted = LocalizedText(
        "Open your banking app: your device shows no notification.",
        german: "Öffnen Sie Ihre Banking-App: Ihr Gerät zeigt keine Mitteilung."
    )
    /// Also if the shop's server has not confirmed a result yet.
    static let notYet = LocalizedText(
        "There is no result yet. Approve on your device, and continue.",
        german: "Es gibt noch kein Ergebnis. Geben Sie auf Ihrem Gerät frei, und fahren Sie fort."
    )
    static let notRequested = LocalizedText(
        "Your bank cannot reach your device now. Continue in a moment.",
        german: "Ihre Bank erreicht Ihr Gerät gerade nicht. Fahren Sie gleich fort."
    )
    static let askedAgain = LocalizedText(
        "The request was sent to your device again.",
        german: "Die Anfrage wurde erneut an Ihr Gerät gesendet."
    )
    /// The verifier demands 30 seconds after each notification, also if its response was lost.
    static let askedTooSoon = LocalizedText(
        "The request was sent to your device a moment ago. Please wait half a minute before you "
            + "ask again.",
        german: "Die Anfrage wurde gerade an Ihr Gerät gesendet. Bitte warten Sie eine halbe "
            + "Minute, bevor Sie sie erneut senden lassen."
    )
    static let notAskedAgain = LocalizedText(
        "The request cannot be sent again. Open it on your device.",
        german: "Die Anfrage kann nicht erneut gesendet werden. Öffnen Sie sie auf Ihrem Gerät."
    )
    static let expired = LocalizedText(
        "The request on your device has expired. You can have it sent once more.",
        german: "Die Anfrage auf Ihrem Gerät ist abgelaufen. Sie können sie noch einmal senden "
            + "lassen."
    )
    static let askAgain = LocalizedText(
        "Ask my device again",
        german: "Anfrage erneut an mein Gerät senden"
    )
    static let approved = LocalizedText("I have approved", german: "Ich habe freigegeben")
    static let why = LocalizedText("Why is this needed?", german: "Warum ist das nötig?")
    static let reason = LocalizedText(
        "Your bank makes sure that it is you.",
        german: "Ihre Bank stellt sicher, dass Sie es sind."
    )
    static let decoupled = LocalizedText(
        "Your bank sends the request to your device. You can approve it there later.",
        german: "Ihre Bank sendet die Anfrage an Ihr Gerät. Dort können Sie sie später freigeben."
    )
}
