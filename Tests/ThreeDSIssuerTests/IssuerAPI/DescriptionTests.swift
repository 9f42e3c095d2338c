import BankIntegration
import Foundation
import TestSupport
import Testing

@testable import ThreeDSIssuer

@Suite struct `The OpenAPI document of the issuer's API` {
    private let document: [String: Any]
    private let operations: [String: [String: Any]]

    init() async throws {
        let client = try IssuerClient(try await IssuerWorld())
        let reply = await client.call("GET", "/openapi.json", authorization: nil)
        #expect(reply.status == 200 && reply.field("content-type") == "application/json")
        let read = try JSONSerialization.jsonObject(with: Data(reply.text.utf8))
        let document = try #require(read as? [String: Any])
        self.document = document
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        var operations: [String: [String: Any]] = [:]
        for (path, item) in paths {
            let shared = item["parameters"] as? [[String: Any]] ?? []
            for (method, members) in item where method != "parameters" {
                var members = try #require(members as? [String: Any])
                let own = members["parameters"] as? [[String: Any]] ?? []
                members["parameters"] = (shared + own).map { Self.resolved($0, in: document) }
                operations["\(method.uppercased()) \(path)"] = members
            }
        }
        self.operations = operations
    }

    private static func resolved(
        _ item: [String: Any],
        in document: [String: Any]
    ) -> [String: Any] {
        guard let reference = item["$ref"] as? String else { return item }
        let value = reference.dropFirst(2).split(separator: "/").reduce(document as Any?) {
            ($0 as? [String: Any])?[String($1)]
        }
        return value as? [String: Any] ?? [:]
    }

    private func names(_ operation: [String: Any], in place: String) -> Set<String> {
        let all = operation["parameters"] as? [[String: Any]] ?? []
        return Set(all.filter { $0["in"] as? String == place }.compactMap { $0["name"] as? String })
    }

    private func statuses(_ operation: [String: Any]) -> Set<Int> {
        Set((operation["responses"] as? [String: Any] ?? [:]).keys.compactMap { Int($0) })
    }

    @Test func `has exactly the routes of the API`() {
        let routes = IssuerRoute.all.map(\.name) + ["GET /openapi.json"]
        #expect(Set(routes).count == routes.count)
        #expect(Set(operations.keys).symmetricDifference(routes) == [])
        let ids = operations.values.compactMap { $0["operationId"] as? String }
        #expect(Set(ids).count == operations.count)
    }

    @Test(arguments: IssuerRoute.all)
    func `has the parameters, content and problems of each route`(_ route: IssuerRoute) throws {
        let operation = try #require(operations[route.name])
        let inPath = route.path.text.matches(of: /\{(\w+)\}/).map { String($0.1) }
        #expect(names(operation, in: "path") == Set(inPath))
        #expect(names(operation, in: "query") == Set(route.parameters.map(\.name)))
        #expect(names(operation, in: "header") == (route.takesKey ? ["Idempotency-Key"] : []))
        #expect((operation["requestBody"] != nil) == route.takesContent)
        #expect((operation["security"] as? [[String: [String]]]) == [["issuerToken": []]])
        var codes: [IssuerErrorCode] = [
            .unauthorized, .invalidQuery, .contentTooLarge, .serverUnavailable,
        ]
        if !inPath.isEmpty { codes.append(.notFound) }
        if route.takesContent {
            codes += [.malformedContent, .unsupportedContentType, .invalidContent]
        }
        let own = operation["x-problems"] as? [String] ?? []
        codes += own.compactMap { IssuerErrorCode(rawValue: $0) }
        #expect(statuses(operation).filter { $0 >= 400 } == Set(codes.map(\.status)))
        #expect(statuses(operation).contains { $0 < 300 })
    }

    @Test func `has exactly the codes of problems and the states`() throws {
        func list(_ path: String...) throws -> [String] {
            let schemas = (document["components"] as? [String: Any])?["schemas"]
            let found = path.reduce(schemas) { ($0 as? [String: Any])?[$1] }
            return try #require(found as? [String])
        }
        let problem = "IssuerProblem"
        #expect(
            try list(problem, "properties", "code", "x-extensible-enum")
                == IssuerErrorCode.allCases.map(\.rawValue)
        )
        #expect(
            try list(problem, "properties", "resource", "x-extensible-enum")
                == IssuerResource.allCases.map(\.rawValue)
        )
        #expect(
            try list("ChallengeState", "enum") == ChallengeView.State.allCases.map(\.rawValue)
        )
        #expect(
            try list("Verdict", "properties", "verdict", "enum")
                == AuthenticationValueVerdict.allCases.map(\.rawValue)
        )
    }

    @Test func `has the titles of problems`() throws {
        let components = try #require(document["components"] as? [String: Any])
        let examples = try #require(components["examples"] as? [String: [String: Any]])
        for code in IssuerErrorCode.allCases where code != .notFound {
            let value = try #require(examples[code.rawValue]?["value"] as? [String: Any])
            #expect(value["title"] as? String == code.title)
            #expect(value["status"] as? Int == code.status)
        }
    }

    @Test func `has no dangling references and no unused definitions`() throws {
        let text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
        let references = Set(text.matches(of: /"\$ref": "([^"]+)"/).map { String($0.1) })
        for reference in references {
            #expect(!Self.resolved(["$ref": reference], in: document).isEmpty, "\(reference)")
        }
        let components = try #require(document["components"] as? [String: [String: Any]])
        for kind in ["schemas", "parameters", "responses", "headers", "examples"] {
            for name in try #require(components[kind]).keys where name != "methodNotAllowed" {
                #expect(references.contains("#/components/\(kind)/\(name)"), "\(name)")
            }
        }
    }

    @Test(
        .enabled(
            if: ReferenceCheckers.areInstalled,
            "Packaging/reference-checkers installs what is needed"
        )
    )
    func `is valid, with valid examples`() throws {
        let output = try ReferenceCheckers.check(
            "description.py",
            given: PackageResources.openapi_json
        )
        #expect(output.wholeMatch(of: /[0-9]+ examples\n/) != nil, "\(output)")
    }
}

extension IssuerRoute: CustomTestStringConvertible {
    package var testDescription: String { name }
}
