import StrictJSON
package import ThreeDSProtocol
package import Transactions

extension ReturnURL {
    /// The address of the shop's app in its first CReq; nil if the device may not open it.
    ///
    /// A scheme of an app can be taken by any other app, so only `https` counts.
    package init?(ofApp request: Message) {
        // Version 2.1.0 has no such element.
        guard request.type == .creq, request.version >= .twoTwo,
            let text = request["threeDSRequestorAppURL"]
        else { return nil }
        self.init(text)
        guard scheme == "https" else { return nil }
    }

    /// Adds the address to `ApprovalRequest.document`, which was stored before the first CReq.
    package func added(to document: [UInt8]) -> [UInt8] {
        RequestDocument.changed(document) { $0 + [.init(name: Self.name, value: .string(text))] }
            ?? document
    }

    /// Nil if the document has no such address.
    static func removed(from document: [UInt8]) -> [UInt8]? {
        RequestDocument.changed(document) { members in
            let others = members.filter { $0.name != name }
            return others.count < members.count ? others : nil
        }
    }

    private static let name = "returnURL"
}
