import AuthenticationHandler
import CommandLineTool

extension AccountChange {
    /// A sentence for the person, without the time.
    var sentence: String {
        let device = deviceName.map { " (\"\($0.isolated)\")" } ?? ""
        return switch kind {
        case .activationIssued:
            localized(
                "The bank issued an activation code for \(account).",
                german: "Die Bank hat einen Aktivierungscode für \(account) ausgestellt."
            )
        case .deviceActivated:
            localized(
                "A device\(device) was added to \(account).",
                german: "Ein Gerät\(device) wurde für \(account) eingerichtet."
            )
        case .deviceRevoked:
            localized(
                "A device\(device) of \(account) was revoked.",
                german: "Ein Gerät\(device) von \(account) wurde dauerhaft entfernt."
            )
        case .accountLinked:
            localized(
                "Another account was linked with \(account).",
                german: "Ein anderer Zugang wurde mit \(account) verknüpft."
            )
        case .accountReplaced:
            localized(
                "\(account) replaced another account.",
                german: "\(account) hat einen anderen Zugang ersetzt."
            )
        case .pinChanged:
            localized(
                "The PIN of \(account) was changed on a device\(device).",
                german: "Die PIN von \(account) wurde auf einem Gerät\(device) geändert."
            )
        case .locked:
            localized(
                "A device\(device) of \(account) was locked after too many wrong codes.",
                german: """
                    Ein Gerät\(device) von \(account) wurde nach zu vielen falschen Codes gesperrt.
                    """
            )
        }
    }

    /// The sentence after the time since the change.
    var line: String {
        let age = passedTime(since: moment)
        return localized("\(age) ago: \(sentence)", german: "vor \(age): \(sentence)")
    }

    static var advice: String {
        localized(
            "If you do not know a change, call your bank at once.",
            german: "Wenn Sie eine Änderung nicht kennen, rufen Sie sofort Ihre Bank an."
        )
    }

    static var none: String {
        localized(
            "Neither the bank nor another device has changed your accounts.",
            german: "Weder die Bank noch ein anderes Gerät hat Ihre Zugänge geändert."
        )
    }
}
