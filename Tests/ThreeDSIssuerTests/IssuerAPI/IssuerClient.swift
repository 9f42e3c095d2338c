import Foundation
import HTTPServer
import Testing

@testable import ThreeDSIssuer

/// A program of the issuer, in the process of the ACS.
struct IssuerClient {
    static let token = "token-of-the-issuer"

    let world: IssuerWorld
    private let routes: IssuerRoutes

    init(_ world: IssuerWorld) throws {
        self.world = world
        routes = try IssuerRoutes(world.service, token: Self.token)
    }

    struct Reply {
        let status: Int
        let fields: [Field]
        let text: String
        /// One word for the log.
        let outcome: String
        let route: String

        /// A member, by its path.
        subscript(_ names: String...) -> Any? {
            // A body that is not JSON has no members: `try?`.
            let document = try? JSONSerialization.jsonObject(with: Data(text.utf8))
            return names.reduce(document) { ($0 as? [String: Any])?[$1] }
        }

        func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

        /// Each broken rule, with the member or parameter that breaks it.
        var violations: [String] {
            let errors = self["errors"] as? [[String: Any]] ?? []
            return errors.map { error in
                let place = error["pointer"] ?? error["parameter"] ?? ""
                return "\(place) \(error["rule"] ?? "")"
            }
        }
    }

    func call(
        _ method: String,
        _ target: String,
        _ content: String? = nil,
        _ others: [Field] = [],
        authorization: String? = "Bearer \(token)"
    ) async -> Reply {
        let fields =
            (authorization.map { [Field("Authorization", $0)] } ?? [])
            + (content == nil ? [] : [Field("Content-Type", "application/json")]) + others
        let routed = await routes.respond(
            to: Request(
                method: method,
                target: target,
                fields: fields,
                body: Array((content ?? "").utf8)
            )
        )
        guard case .bytes(let body) = routed.response.body else {
            Issue.record("a stream")
            return Reply(status: 0, fields: [], text: "", outcome: "", route: "")
        }
        return Reply(
            status: routed.response.status,
            fields: routed.response.fields,
            text: String(decoding: body, as: UTF8.self),
            outcome: routed.outcome,
            route: routed.route
        )
    }
}
