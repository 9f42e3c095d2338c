import AuthenticationHandler
import CommandLineTool

/// The sentences about PINs at a terminal.
enum PINSentences {
    static let wayOut = "Try again, or press Ctrl-C to leave."

    /// The rule for a new PIN, before it is typed.
    static func rule(_ digitCounts: ClosedRange<Int>) -> String {
        let (minimum, maximum) = (digitCounts.lowerBound, digitCounts.upperBound)
        let length =
            minimum == maximum
            ? "Choose a PIN of \(minimum) digits."
            : "Choose a PIN of \(minimum) to \(maximum) digits."
        return """
            \(length) Repeated digits, sequences, dates and the most common PINs are refused.
            """
    }

    static func attempts(_ left: Int) -> String {
        left == 1
            ? "One attempt is left. \(lastAttempt)" : "\(left) attempts are left."
    }

    static let lastAttemptHint = """
        another failure locks the PIN for at least 30 minutes, or permanently after earlier locks
        """

    /// The result of another wrong PIN: the device does not know how many locks preceded.
    private static let lastAttempt = """
        Another wrong PIN locks the PIN for at least 30 minutes, or permanently after earlier \
        locks. The bank can end a temporary lock. After a permanent lock, you need a new activation.
        """
}

extension CommandFailure {
    init(_ rule: PINPolicy.Rule) {
        let (message, hint) = rule.messageAndHint
        self.init(.refused, message, hint: hint)
    }

    static let differentPINs = CommandFailure(.refused, "the two PINs are different")

    static let noCommonPIN = CommandFailure(
        .refused,
        "the banks of your accounts require PINs of different lengths",
        hint: "ask one of the banks to change its policy"
    )
}

extension PINPolicy.Rule {
    fileprivate var messageAndHint: (message: String, hint: String) {
        let check = "check the PIN, and try again"
        let choose = "choose another PIN"
        return switch self {
        case .notDigits: ("the PIN contains characters that are not digits", check)
        case .tooShort: ("the PIN is too short", check)
        case .tooLong: ("the PIN is too long", check)
        case .repeated: ("the PIN repeats digits", choose)
        case .sequence: ("the digits of the PIN are a sequence", choose)
        case .date: ("the PIN is a date", choose)
        case .commonlyChosen: ("the PIN is one of the most common PINs", choose)
        }
    }
}

/// The input that a failed authentication proves wrong.
enum WrongInput {
    case pin, number, pinOrNumber
    /// No person typed it.
    case other

    init(_ type: AuthenticationType, withNumber hasNumber: Bool) {
        self =
            switch (type, hasNumber) {
            case (.userPIN, false): .pin
            case (.userPIN, true): .pinOrNumber
            case (_, true): .number
            default: .other
            }
    }

    /// A part of a message: `countersign: the PIN is wrong (4 attempts left)`.
    var message: String {
        switch self {
        case .pin: "the PIN is wrong"
        case .number: "the number is wrong"
        case .pinOrNumber: "the PIN or the number is wrong"
        case .other: "the bank did not accept the authentication"
        }
    }

    var sentence: String {
        switch self {
        case .pin: "The PIN is wrong."
        case .number: "The number is wrong."
        case .pinOrNumber: "The PIN or the number is wrong."
        case .other: "The bank did not accept the authentication."
        }
    }

    func hint(attemptsLeft: Int?) -> String {
        attemptsLeft == 1 ? PINSentences.lastAttemptHint : hint
    }

    private var hint: String {
        switch self {
        case .pin: "check the PIN, and try again"
        case .number: "check the number that the bank shows, and try again"
        case .pinOrNumber: "check the PIN and the number that the bank shows, and try again"
        case .other: "try again, or use another authentication method"
        }
    }
}
