import AuthenticationHandler
import CommandLineTool

extension ActivationText {
    static let fingerprintQuestion = "Did your bank publish this fingerprint?"

    /// The lines before the code is typed, or before a scanned code is used.
    static func server(
        _ server: TrustedServer,
        beforeCode isCodeTyped: Bool
    ) throws(CommandFailure) -> String {
        let fingerprint: String
        do throws(AuthenticationError) {
            fingerprint = try server.fingerprint
        } catch {
            throw CommandFailure(error)
        }
        let lines = """
            The bank's server is \(server.originText).
            The fingerprint of its key is \(fingerprint).
            """
        let rule = "Type the code only if your bank published the same fingerprint."
        return isCodeTyped ? "\(lines)\n\(rule)" : lines
    }

    /// The line before the PIN is typed.
    static func accounts(_ accounts: [Account]) -> String {
        let names = accounts.map(\.description).joined(separator: ", ")
        return accounts.count == 1
            ? "The bank set up this account for you: \(names)."
            : "The bank set up these accounts for you: \(names)."
    }
}

extension CommandFailure {
    static let noActivationID = CommandFailure(
        .refused,
        "this is not an activation id and not the text of a QR code",
        hint: "an activation id has 10 letters and digits, such as 8QK3M5TX0B"
    )
    static let incompleteQRCode = CommandFailure(
        .refused,
        "the text of the QR code is damaged or incomplete",
        hint: "copy the whole text, which begins with countersign-activation:"
    )
    static let otherFingerprint = CommandFailure(
        .refused,
        "nothing was activated",
        hint: "ask your bank for the fingerprint of its key"
    )
    static let mistypedActivationCode = CommandFailure(
        .refused,
        "the activation code has a typing error",
        hint: "check every character, or ask for a new code"
    )
    /// The bank does not report which of the two is wrong.
    static let activationRefused = CommandFailure(
        .refused,
        "the bank does not accept this activation id with this code",
        hint: "check both, or ask the bank for a new activation"
    )
}
