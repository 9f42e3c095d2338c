import CommandLineTool

/// The identifier of an authentication that the ACS gave, which also names its challenge.
struct ChallengeID: ArgumentValue {
    static let valueName = "CHALLENGE"
    static let expectation = "an acsTransID, which has 36 characters"

    let text: String

    /// Shops can write its letters in either case (RFC 9562, section 4).
    init?(argument: String) {
        guard argument.utf8.count == 36,
            argument.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || isHexadecimal($0) })
        else { return nil }
        text = argument.lowercased()
    }

    static let help = "The acsTransID of the challenge, from countersign-acs challenge list."
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
