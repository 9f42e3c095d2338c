import StrictJSON

/// The rules about several elements that are not about `transStatus`.
struct CombinationRule {
    /// The elements that do not belong together.
    let invalidNames: [String]

    init(
        _ type: MessageType,
        _ version: ProtocolVersion,
        _ members: [JSONValue.Member],
        _ facts: TransactionFacts?
    ) {
        invalidNames =
            switch type {
            case .creq where version >= .twoThree: Self.contradictingActions(members, facts)
            case .ares, .rreq: Self.impossibleTemplate(members)
            default: []
            }
    }

    /// A page for text or a choice ends with exactly one action of the person.
    private static func contradictingActions(
        _ members: [JSONValue.Member],
        _ facts: TransactionFacts?
    ) -> [String] {
        guard let page = facts?.texts(of: "acsUiType")?.first, ["01", "02", "03"].contains(page)
        else { return [] }
        let entries = ["challengeDataEntry", "challengeDataEntryTwo"].filter(members.contain)
        let actions = [
            "challengeNoEntry", "challengeCancel", "resendChallenge", "challengeAddCode",
        ].filter(members.contain)
        switch (entries.isEmpty, actions.count) {
        case (true, 0): return ["challengeDataEntry"]
        case (true, 1), (false, 0): return []
        default: return entries + actions
        }
    }

    /// Only a page of HTML can have a template for HTML.
    private static func impossibleTemplate(_ members: [JSONValue.Member]) -> [String] {
        guard let type = members.value(of: "acsRenderingType"), type["acsInterface"]?.text == "01",
            ["05", "06"].contains(type["acsUiTemplate"]?.text)
        else { return [] }
        return ["acsRenderingType.acsUiTemplate"]
    }
}

extension [JSONValue.Member] {
    fileprivate func contain(_ name: String) -> Bool { value(of: name)?.isEmpty == false }
}
