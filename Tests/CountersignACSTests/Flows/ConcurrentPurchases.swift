import Foundation
import TestSupport
import Testing

/// Purchases whose AReqs curl sends at the same time, with the certificate of the directory server.
struct ConcurrentPurchases {
    private let premises: IssuerPremises
    /// The members of an AReq of the peer.
    private let template: [String: Any]

    init(in premises: IssuerPremises) throws {
        self.premises = premises
        let unknown = "4000009876543219"
        let areq = try premises.peer.run(
            "areq",
            ["card": unknown, "channel": "browser", "show": true]
        )
        template = try #require(areq.members["areq"] as? [String: Any])
    }

    /// Returns the count of each status with its reason; the purchases go to the addresses in turn.
    func outcomes(_ count: Int, to urls: [String]) throws -> [String: Int] {
        let pki = premises.folder.path("pki")
        var transfers: [String] = []
        for number in 0..<count {
            let identifiers = ["dsTransID", "threeDSServerTransID"].map {
                ($0, UUID().uuidString.lowercased() as Any)
            }
            let members = template.merging(identifiers) { $1 }
                .merging(["acctNumber": IssuerPremises.card]) { $1 }
            let body = String(
                decoding: try JSONSerialization.data(withJSONObject: members),
                as: UTF8.self
            )
            try premises.folder.write(body, to: "areq-\(number)")
            transfers.append(
                """
                url = "\(urls[number % urls.count])"
                data-binary = "@\(premises.folder.path("areq-\(number)"))"
                header = "content-type: application/json; charset=utf-8"
                cert = "\(pki)/ds-client.pem"
                key = "\(pki)/ds-client.key"
                cacert = "\(pki)/ca.pem"
                output = "\(premises.folder.path("ares-\(number)"))"
                """
            )
        }
        try premises.folder.write(transfers.joined(separator: "\nnext\n"), to: "transfers")
        let words = ["--silent", "--parallel", "--parallel-immediate", "--parallel-max", "30"]
        let run = try FinishedProcess.run(
            "curl",
            words + ["--config", premises.folder.path("transfers")]
        )
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        return try (0..<count).reduce(into: [:]) { outcomes, number in
            let response = Data(try premises.folder.text("ares-\(number)").utf8)
            let members = try JSONSerialization.jsonObject(with: response) as? [String: Any]
            let status = ["transStatus", "transStatusReason"].compactMap {
                members?[$0] as? String
            }
            outcomes[status.joined(separator: "/"), default: 0] += 1
        }
    }
}
