import Foundation
import ProgramTesting
import TestSupport

/// The issuer's own programs, which show the token of the ACS.
struct IssuerPrograms {
    let origin: String
    let token: String

    /// They call the first node, or the one with these ports.
    init(of premises: IssuerPremises, at ports: IssuerPremises.Ports? = nil) throws {
        origin = "http://127.0.0.1:\((ports ?? premises.ports).issuer)"
        token = try premises.folder.text("issuer-token").trimmingCharacters(in: .newlines)
    }

    /// Calls a path below `/acs/v1`.
    func send(
        _ method: String,
        _ path: String,
        _ content: String? = nil,
        _ fields: String...
    ) throws -> Fetched {
        let body = content.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []
        let others = fields.flatMap { ["-H", $0] }
        return try Fetching(
            origin + "/acs/v1" + path,
            ["-X", method, "-H", "Authorization: Bearer \(token)"] + body + others
        ).end()
    }

    /// The reference of the card with the smallest one.
    func firstCard() throws -> String? {
        let list = try send("GET", "/cards?limit=1").body
        return list.firstMatch(of: /"reference":"([^"]+)"/).map { String($0.1) }
    }
}
