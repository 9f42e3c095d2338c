import ThreeDSIssuer

extension CardRefusal {
    var hint: String? {
        switch self {
        case .malformedNumber: nil
        case .wrongCheckDigit:
            "check the number; for cards without a check digit, use --no-check-digit"
        case .outsideRanges: "check the number, and the ranges of the directories"
        case .otherEnterprise: "check the member enterprise of the configuration"
        case .numberAsAccount:
            "use the account of the person at the verifier, such as bank/main/4711"
        case .otherAccount: "remove the card first: countersign-acs card remove"
        }
    }
}
