package import ThreeDSProtocol

extension RequestDecision {
    /// The fault for the sender of the AReq; nil if an ARes is sent.
    package func fault(in request: Message) -> MessageFault? {
        guard case .error(let code) = self else { return nil }
        // Only the card's number can be outside of the ACS.
        return MessageFault(
            code,
            detail: "acctNumber",
            in: .areq,
            version: request.version,
            ids: request.ids
        )
    }
}
