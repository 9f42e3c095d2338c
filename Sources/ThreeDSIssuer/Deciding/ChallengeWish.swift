/// The requestor's wish (`threeDSRequestorChallengeInd`), as far as the ACS considers it.
package enum ChallengeWish: String, CaseIterable, Sendable {
    /// A law or a rule of the market demands a challenge.
    case mandated = "04"
    /// No challenge: the requestor has analysed the risk itself.
    case riskAnalysed = "05"
    /// No challenge: the data are only shared.
    case dataOnly = "06"
    /// No challenge: the person was authenticated before.
    case alreadyAuthenticated = "07"
    /// No challenge, if the person has the shop on a trust list.
    case trustListExemption = "08"
    /// A challenge that also offers to trust the shop.
    case trustListPrompt = "09"
}
