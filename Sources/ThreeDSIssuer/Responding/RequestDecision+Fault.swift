package import ThreeDSProtocol

extension RequestDecision {
    /// The fault for the sender of the AReq; nil if an ARes is sent.
    package func fault(in request: Message) -> MessageFault? {
        guard case .error(let code) = self else { return nil }
        // Only the card's number can be outside of the ACS.
        return request.fault(code, naming: "acctNumber")
    }
}

extension Message {
    /// The fault of an element of an AReq.
    func fault(_ code: MessageErrorCode, naming name: String) -> MessageFault {
        MessageFault(code, detail: name, in: .areq, version: version, ids: ids)
    }
}
