import StrictJSON

/// The rules for `transStatus` and its companions that are about more than one element.
struct StatusRule {
    /// The elements whose values contradict each other or the AReq.
    private(set) var invalidNames: [String] = []
    /// The last response of a challenge has a status that only results have: the receiver stops.
    let endsWithoutError: Bool

    init(_ type: MessageType, _ members: [JSONValue.Member], _ facts: TransactionFacts?) {
        let status = members.code(of: "transStatus")
        endsWithoutError =
            type == .cres && ["U", "A", "C", "R", "I", "S"].contains(status ?? "")
            || type == .cres && status == "D" && facts?.version != .twoThree
        guard let facts else { return }
        if let status, !Self.allows(status, in: type, after: facts) {
            invalidNames.append("transStatus")
        }
        if type == .ares {
            let decoupled = members.code(of: "acsDecConInd")
            let request = facts.texts(of: "threeDSRequestorDecReqInd")
            let isAsked = request.map { !$0.isEmpty && $0 != ["N"] } ?? true
            if decoupled == "Y" && !isAsked || decoupled == "N" && status == "D" {
                invalidNames.append("acsDecConInd")
            }
        }
        if type == .rreq, members.code(of: "transStatusReason") == "14",
            !["04", "05"].contains(members.code(of: "challengeCancel") ?? "")
        {
            invalidNames.append("challengeCancel")
        }
    }

    /// Whether the AReq permits this status in this message.
    private static func allows(
        _ status: String,
        in type: MessageType,
        after facts: TransactionFacts
    ) -> Bool {
        func areq(_ name: String, _ values: Set<String>) -> Bool {
            facts.texts(of: name).map { !values.isDisjoint(with: $0) } ?? true
        }
        let challenge = "threeDSRequestorChallengeInd"
        switch (status, type) {
        case ("C", .ares):
            let isShared = facts.texts(of: challenge)?.contains("06") == true
            return facts.channel != .requestor && !isShared
        case ("D", .ares): return areq("threeDSRequestorDecReqInd", ["Y", "B"])
        case ("D", .rreq), ("D", .cres): return areq("threeDSRequestorDecReqInd", ["F", "B"])
        case ("I", .ares): return areq(challenge, ["05", "06", "07"])
        case ("S", .ares):
            return facts.channel != .requestor && areq("threeDSRequestorSpcSupport", ["Y"])
        default: return true
        }
    }
}
