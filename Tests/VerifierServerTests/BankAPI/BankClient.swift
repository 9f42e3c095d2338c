import BankIntegration
import Foundation
import HTTPServer
import PrivateFiles
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

/// A program of the bank with a token of each role, which records all responses.
struct BankClient: Sendable {
    let bank: Bank
    let router: Router
    private let tokens: [BankToken.Role: [UInt8]]

    init(policy: String = "{}") async throws {
        try await self.init(Bank(policy: policy))
    }

    init(
        _ bank: Bank,
        servesWebDevices: Bool = true,
        secondPerson: Set<VerifierServer.Configuration.BankOperation> = []
    ) async throws {
        self.bank = bank
        router = try ServedBank(bank).router(
            servesWebDevices: servesWebDevices,
            secondPerson: secondPerson
        )
        var tokens: [BankToken.Role: [UInt8]] = [:]
        for role in BankToken.Role.allCases {
            tokens[role] = try await bank.makeToken("\(role)", for: role)
        }
        self.tokens = tokens
    }

    /// Of the account that every bank of these tests has.
    static let account = "/bank/v1/enterprises/bank/accounts/main/4711"
    static let enterprise = "/bank/v1/enterprises/bank"

    static func token(_ text: [UInt8]) -> String {
        "Bearer " + String(decoding: text, as: UTF8.self)
    }

    /// Sends a request with the token of a role, or with the given one.
    func call(
        _ method: String,
        _ target: String,
        as role: BankToken.Role = .issuer,
        showing authorization: String? = nil,
        _ content: String? = nil,
        key: String? = nil,
        contentType: String = "application/json",
        confirming id: String? = nil
    ) async throws -> CompleteResponse {
        let text = try tokens[role].unwrapped()
        var fields = [Field("Authorization", authorization ?? Self.token(text))]
        if content != nil { fields.append(Field("Content-Type", contentType)) }
        if let key { fields.append(Field("Idempotency-Key", key)) }
        if let id { fields.append(Field("Confirms", id)) }
        return try await call(
            Request(
                method: method,
                target: target,
                fields: fields,
                body: Array((content ?? "").utf8)
            )
        )
    }

    func call(_ request: Request) async throws -> CompleteResponse {
        let response = try await CompleteResponse(await router.respond(to: request))
        Exchanges.current?.note(request, response)
        return response
    }
}

/// A response, with its stream read to the end.
struct CompleteResponse: Sendable {
    let status: Int
    let fields: [Field]
    let body: [UInt8]

    init(_ response: Response) async throws {
        status = response.status
        fields = response.fields
        switch response.body {
        case .bytes(let bytes): body = bytes
        case .stream(let stream):
            let pieces = Pieces()
            try await stream(Response.Writer { await pieces.append($0) })
            body = await pieces.bytes
        }
    }

    private actor Pieces {
        var bytes: [UInt8] = []
        func append(_ piece: [UInt8]) { bytes += piece }
    }

    func value(of name: String) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether the bank's API marks it as the response of an earlier call.
    var isReplayed: Bool { value(of: "idempotent-replayed") == "true" }

    /// The value at a path of member names, or nil.
    subscript(_ names: String...) -> String? {
        var value = try? JSONSerialization.jsonObject(with: Data(body))
        for name in names {
            value =
                if let index = Int(name) {
                    (value as? [Any]).flatMap { index < $0.count ? $0[index] : nil }
                } else { (value as? [String: Any])?[name] }
        }
        return value.map { "\($0)" }
    }

    var code: String? { self["code"] }

    /// The violations that a problem lists.
    var errors: [ProblemError] {
        struct Problem: Decodable { let errors: [ProblemError] }
        return (try? JSONDecoder().decode(Problem.self, from: Data(body)))?.errors ?? []
    }
}

/// Requests and responses for another program to check.
final class Exchanges: Sendable {
    @TaskLocal static var current: Exchanges?

    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var lines: [String] = []

    func note(_ request: Request, _ response: CompleteResponse) {
        let content: [String: Any] = [
            "method": request.method,
            "target": request.target,
            "request": String(decoding: request.body, as: UTF8.self),
            "status": response.status,
            "fields": response.fields.map { [$0.name, $0.value] },
            "body": response.text,
        ]
        // It contains only texts and numbers.
        guard let data = try? JSONSerialization.data(withJSONObject: content) else { return }
        lock.withLock { lines.append(String(decoding: data, as: UTF8.self)) }
    }

    var count: Int { lock.withLock { lines.count } }
    var text: String { lock.withLock { lines.joined(separator: "\n") } }
}
