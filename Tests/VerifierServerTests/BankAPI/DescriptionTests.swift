import BankIntegration
import Foundation
import HTTPServer
import Sealing
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

/// One operation of the OpenAPI document.
private struct Operation {
    let method: String
    let path: String
    let members: [String: Any]
    /// The parameters of the operation and of its path.
    let parameters: [[String: Any]]

    var name: String { "\(method) \(path)" }

    func names(in place: String) -> Set<String> {
        Set(parameters.filter { $0["in"] as? String == place }.compactMap { $0["name"] as? String })
    }

    var statuses: Set<Int> {
        Set((members["responses"] as? [String: Any] ?? [:]).keys.compactMap { Int($0) })
    }

    var problems: [String] { members["x-problems"] as? [String] ?? [] }
    var takesContent: Bool { members["requestBody"] != nil }
}

@Suite struct `The OpenAPI document` {
    private let document: [String: Any]
    private let operations: [Operation]

    init() async throws {
        let router = try await ServedBank().router()
        let request = Request(method: "GET", target: "/openapi.json", fields: [], body: [])
        let response = try await CompleteResponse(await router.respond(to: request))
        #expect(response.status == 200)
        let read = try JSONSerialization.jsonObject(with: Data(response.body))
        let document = try #require(read as? [String: Any])
        self.document = document
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        operations = paths.flatMap { path, item -> [Operation] in
            let shared = item["parameters"] as? [[String: Any]] ?? []
            return item.compactMap { method, members -> Operation? in
                guard let members = members as? [String: Any] else { return nil }
                let own = members["parameters"] as? [[String: Any]] ?? []
                return Operation(
                    method: method.uppercased(),
                    path: path,
                    members: members,
                    parameters: (shared + own).map { Self.resolved($0, in: document) }
                )
            }
        }
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

    @Test func `has exactly the routes of both APIs`() {
        let routes =
            BankRoute.all.map(\.testDescription)
            + DeviceRoute.allCases.map { "\(DeviceRoute.method) \($0.path)" }
            + ["GET /openapi.json"]
        #expect(Set(routes).count == routes.count)
        #expect(Set(operations.map(\.name)).symmetricDifference(routes) == [])
        let ids = operations.compactMap { $0.members["operationId"] as? String }
        #expect(Set(ids).count == operations.count)
    }

    @Test(arguments: BankRoute.all)
    func `has the content, key and scope of each route`(_ route: BankRoute) throws {
        let operation = try #require(operations.first { $0.name == route.testDescription })
        let security = operation.members["security"] as? [[String: [String]]]
        let scopes = [route.scope] + (route.servesCards ? [.cards] : [])
        #expect(security == scopes.map { ["bankToken": [$0.rawValue]] })
        let names = route.path.text.matches(of: /\{(\w+)\}/).map { String($0.1) }
        #expect(operation.names(in: "path") == Set(names))
        #expect(operation.names(in: "query") == Set(route.parameters.map(\.name)))
        var header: Set<String> = route.input == .call ? ["Idempotency-Key"] : []
        if let id = route.operation {
            header.insert("Confirms")
            #expect(operation.members["operationId"] as? String == id.rawValue)
        }
        #expect(operation.names(in: "header") == header)
        #expect(operation.statuses.contains(202) == (route.operation != nil))
        let body = operation.members["requestBody"] as? [String: Any]
        #expect((body != nil) == (route.input != .nothing))
        #expect((body?["required"] as? Bool == true) == [.content, .call].contains(route.input))
    }

    @Test(arguments: BankRoute.all)
    func `has exactly the problem statuses of each route`(_ route: BankRoute) throws {
        let operation = try #require(operations.first { $0.name == route.testDescription })
        var codes: [BankErrorCode] = [
            .unauthorized, .scopeMissing, .invalidQuery, .contentTooLarge,
        ]
        if operation.names(in: "path").contains("enterprise") { codes.append(.notFound) }
        if route.path.text == "/bank/v1/audit" { codes.append(.notFound) }
        if operation.takesContent {
            codes += [.malformedContent, .unsupportedContentType, .invalidContent]
        }
        if route.input == .call { codes += [.idempotencyKeyMissing, .idempotencyKeyReused] }
        if route.operation != nil { codes.append(.confirmationUnknown) }
        let own = operation.problems.compactMap { status(of: $0) }
        #expect(own.count == operation.problems.count)
        let unavailable = Problem.serverUnavailable.status
        let expected = Set(codes.map(\.status) + own + [unavailable])
        #expect(operation.statuses.filter { $0 >= 400 } == expected)
        #expect(operation.statuses.contains { $0 < 300 })
    }

    private func status(of code: String) -> Int? {
        BankErrorCode(rawValue: code)?.status
            ?? catalogued.first { $0.code.rawValue == code }?.status
    }

    private let catalogued: [Problem] = [
        .transactionExpired, .transactionAlreadyDecided(.approved),
        .authenticationFailed(attemptsLeft: 1), .credentialLocked(.never), .deviceRevoked,
        .deviceWaiting(until: .earliest),
        .authenticationTypeNotAllowed, .rateLimited(retryAfterSeconds: 1), .serverUnavailable,
    ]

    @Test func `has exactly the error codes of the bank API`() throws {
        let schema = Self.resolved(
            ["$ref": "#/components/schemas/BankProblem"],
            in: document
        )
        let code = try #require((schema["properties"] as? [String: [String: Any]])?["code"])
        let codes = try #require(code["x-extensible-enum"] as? [String])
        let known = BankErrorCode.allCases.map(\.rawValue) + catalogued.map(\.code.rawValue)
        #expect(codes.count == known.count)
        #expect(Set(codes) == Set(known))
        let used = Set(operations.flatMap(\.problems))
        #expect(used.isSubset(of: known))
    }

    @Test(arguments: BankToken.Role.allCases)
    func `has the scopes of each role`(_ role: BankToken.Role) throws {
        let reference = ["$ref": "#/components/securitySchemes/bankToken"]
        let scheme = Self.resolved(reference, in: document)
        let roles = try #require(scheme["x-roles"] as? [String: [String]])
        #expect(roles.count == BankToken.Role.allCases.count)
        let scopes = try #require(roles[role.rawValue])
        #expect(Set(scopes) == Set(role.scopes.map(\.rawValue)))
        let described = try #require(scheme["x-scopes"] as? [String: String])
        #expect(Set(described.keys) == Set(BankToken.Scope.allCases.map(\.rawValue)))
    }

    @Test func `has tags on every operation and webhook`() throws {
        let webhooks = try #require(document["webhooks"] as? [String: [String: [String: Any]]])
        let all = operations.map(\.members) + webhooks.values.flatMap(\.values)
        #expect(all.count == operations.count + 2)
        for members in all {
            let tags = try #require(members["tags"] as? [String])
            #expect(["bank", "device", "webhooks"].contains(tags.first))
        }
    }

    @Test func `has no dangling references and no unused definitions`() throws {
        let text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
        let references = Set(text.matches(of: /"\$ref": "([^"]+)"/).map { String($0.1) })
        #expect(references.count > 80)
        for reference in references {
            #expect(!Self.resolved(["$ref": reference], in: document).isEmpty, "\(reference)")
        }
        let components = try #require(document["components"] as? [String: [String: Any]])
        for kind in ["schemas", "parameters", "responses", "headers"] {
            for name in try #require(components[kind]).keys where name != "AuditRecord" {
                #expect(references.contains("#/components/\(kind)/\(name)"), "\(name)")
            }
        }
    }
}

/// Checks all responses of a test against the OpenAPI document, with an independent implementation
/// of JSON Schema.
struct Described: SuiteTrait, TestTrait, TestScoping {
    /// After each test, or once after a large suite.
    let isRecursive: Bool

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @Sendable () async throws -> Void
    ) async throws {
        let exchanges = Exchanges()
        try await Exchanges.$current.withValue(exchanges, operation: body)
        let judgement = try exchanges.judgement()
        #expect(judgement == "judged \(exchanges.count)\n")
    }
}

extension Trait where Self == Described {
    static var described: Self { Self(isRecursive: true) }
    static var describedAsAWhole: Self { Self(isRecursive: false) }
}

extension Exchanges {
    /// The findings, and the number of responses.
    fileprivate func judgement() throws -> String {
        let folder = try TemporaryFolder()
        let document = String(decoding: PackageResources.openapi_json, as: UTF8.self)
        let file = try folder.write(document, to: "openapi.json")
        let checker = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "reference_checker.py"
        )
        let process = try FinishedProcess.run(
            "/usr/bin/python3",
            [checker.path, file],
            input: Array(text.utf8)
        )
        return process.output + process.errorOutput
    }
}
