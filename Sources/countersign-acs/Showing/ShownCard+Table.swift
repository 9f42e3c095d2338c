import ThreeDSIssuer

extension ShownCard {
    static let heading = ["REFERENCE", "LAST FOUR", "STATE", "ACCOUNT"]

    var columns: [String] { [reference, lastFour, isBlocked ? "blocked" : "active", account] }
}
