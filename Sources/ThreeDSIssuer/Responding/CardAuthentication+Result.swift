package import StrictJSON
package import ThreeDSProtocol
import Transactions

extension CardAuthentication {
    /// The RReq for the directory server.
    ///
    /// Nil if `report` is an approval without a proof in an accepted way, or another result with
    /// one. So no error of a caller can authenticate a purchase. `error` is the Erro that ended the
    /// challenge.
    package func message(
        _ report: ResultReport,
        proof: ApprovalProof? = nil,
        error: JSONValue? = nil,
        rejectedECI: ECI = .notAuthenticated
    ) -> Message? {
        guard (report == .approved) == (proof != nil),
            proof.map({ ways.contains($0.way) }) ?? true
        else { return nil }
        // Without the Erro, the result must not promise it.
        let isAboutError = report.cancelIndicator(in: version)?.isAboutError == true
        let report = isAboutError && error == nil ? .failed : report
        var members = directoryIDs
        members += .init(texts: ["messageCategory": category.rawValue])
        members += report.members(in: version).filter {
            // Without a page, no entry is counted.
            !isDecoupled || $0.name != "interactionCounter"
        }
        if report.status != .undetermined {
            members += .init(texts: ["authenticationType": authenticationType])
        }
        members += methods(report, proof)
        if let proof {
            members += .init(texts: [
                "authenticationValue": proof.value.text, "eci": proof.eci.digits,
            ])
        } else if report.status == .notAuthenticated {
            members += .init(texts: ["eci": indicator(rejectedECI)])
        }
        if channel == .app, !isDecoupled { members.append("acsRenderingType", renderingType) }
        if let error, isAboutError { members.append("challengeErrorReporting", error) }
        return Message(.rreq, version, members)
    }

    /// The way of the approval; version 2.3.1 also demands the possible ways of other results.
    private func methods(
        _ report: ResultReport,
        _ proof: ApprovalProof?
    ) -> [JSONValue.Member] {
        guard version >= .twoThree else {
            return .init(texts: ["authenticationMethod": proof?.way.method])
        }
        guard report.status != .undetermined else { return [] }
        let ways = proof.map { AuthenticationTypes($0.way) } ?? ways
        return [.init(name: "authenticationMethod", value: methods(of: ways))]
    }
}
