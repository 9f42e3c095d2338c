import Foundation
import ProgramTesting
import TestSupport
import Testing

/// AReqs with one fault each; the peer checks each Erro.
@Suite(.needsReferenceCheckers) struct `An AReq with a fault` {
    private let premises: IssuerPremises

    init() throws { premises = try IssuerPremises() }

    private func areq(_ members: [String: Any]) throws -> CardPaymentPeer.Report {
        let own: [String: Any] = ["card": IssuerPremises.card, "channel": "browser"]
        let areq = try premises.peer.run("areq", own.merging(members) { $1 })
        #expect(areq.problems == [], "\(members)")
        return areq
    }

    @Test func `gets the error message for it`() throws {
        let critical: [String: Any] = [
            "name": "Unknown", "id": "unknown", "criticalityIndicator": true, "data": ["a": "b"],
        ]
        let faults: [(String, String?, [String: Any])] = [
            ("101", nil, ["body": "{"]), ("101", nil, ["body": "[]"]),
            ("102", nil, ["overrides": ["messageVersion": "1.0.0"]]),
            ("201", "acctNumber", ["overrides": ["acctNumber": NSNull()]]),
            ("202", nil, ["overrides": ["messageExtension": [critical]]]),
            ("203", "purchaseAmount", ["overrides": ["purchaseAmount": "47.11"]]),
            ("203", "cardExpiryDate", ["expiry": "1399"]),
            ("204", "acctNumber", ["repeated": ["acctNumber"]]),
            ("304", "purchaseCurrency", ["overrides": ["purchaseCurrency": "999"]]),
            ("305", nil, ["card": "5000000000000009"]),
        ]
        for (code, detail, members) in faults {
            let report = try areq(members)
            #expect(report.text("erro", "errorCode") == code, "\(report.members)")
            if let detail { #expect(report.text("erro", "errorDetail") == detail) }
        }
        // None of them counts as a challenge of the card.
        for _ in 1...3 {
            let report = try areq(["expiry": "3212"])
            #expect(report.text("ares", "transStatus") == "C", "\(report.members)")
        }
    }

    @Test func `gets one ARes for two equal ones at once`() throws {
        let report = try areq(["twice": true])
        #expect(report.text("ares", "transStatus") == "C", "\(report.members)")
    }
}
