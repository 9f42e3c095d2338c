import Cryptography
import Foundation
import HTTPServer
import Sealing
import TestSupport
import Testing
import TransactionApproval
import VerifierServer
import VerifierWorld

@Suite struct `http-message-signatures` {
    @Test(
        .enabled(
            if: ReferenceCheckers.areInstalled,
            "Packaging/reference-checkers installs what is needed"
        )
    )
    func `SEC-42: verifies requests and responses, including refusals, and rejects changed ones`()
        async throws
    {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let payment = try await server.bank.pay()
        let now = server.bank.clock.now
        let wrong = try await phone.decision(on: payment, with: .wrong, in: server.bank)
        let right = try await phone.decision(on: payment, in: server.bank)
        let requests = [
            try phone.request(StatusExchange.self, .init(), at: now),
            try phone.request(StatusExchange.self, .init(), at: now - .seconds(121)),
            try phone.request(DecisionExchange.self, wrong, at: now),
            try phone.request(DecisionExchange.self, right, at: now),
            try phone.signed(.status([]), at: now),
        ]
        var exchanges: [JudgedExchange] = []
        for request in requests {
            let response = await server.api.respond(to: try Request(request))
            exchanges.append(
                JudgedExchange(request, response, keys: try keys(of: phone, and: server))
            )
        }
        #expect(exchanges.map(\.response.status_code) == [200, 401, 403, 200, 400])

        var others = exchanges
        for index in others.indices {
            others[index].request.url += "/"
            others[index].response.status_code = 201
        }
        others.append(exchanges[0])
        others.append(exchanges[0])
        others[5].response.body += "20"
        others[6].response.headers = exchanges[1].response.headers
        let verdicts = try JudgedExchange.verdicts(on: exchanges + others)
        #expect(verdicts.prefix(10) == Array(repeating: "good", count: 10)[...])
        let refused = verdicts.dropFirst(10).filter { $0.hasPrefix("InvalidSignature") }
        #expect(refused.count == 12)
        #expect(verdicts.suffix(4).map { $0 == "good" } == [true, false, true, false])
    }

    @Test(
        .enabled(
            if: ReferenceCheckers.areInstalled,
            "Packaging/reference-checkers installs what is needed"
        )
    )
    func `SEC-42: signs requests that the server accepts, in another order of parameters`()
        async throws
    {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let now = server.bank.clock.now
        let own = try phone.request(StatusExchange.self, .init(), at: now)
        let fields = try ForeignRequest.signedFields(
            of: [
                ForeignRequest(own, nonce: 1, by: phone), ForeignRequest(own, nonce: 2, by: phone),
            ]
        )
        let parameters = try #require(fields[0].first { $0.name.lowercased() == "signature-input" })
        let ownParameters = try #require(own.fields.first { $0.name == "signature-input" })
        let names = [parameters.value, ownParameters.value].map { value in
            value.matches(of: /;([a-z]+)=/).map { String($0.1) }
        }
        #expect(names[0] != names[1])
        #expect(names[0].sorted() == names[1].sorted())

        let message = try Request(own)
        func status(_ fields: [Field]) async -> Int {
            let request = Request(
                method: message.method,
                target: message.target,
                fields: fields,
                body: message.body
            )
            return await server.api.respond(to: request).status
        }
        #expect(await status(fields[0]) == 200)
        // A replay, and the signature of another nonce.
        #expect(await status(fields[0]) == 401)
        let mixed = fields[1].filter { $0.name.lowercased() != "signature-input" } + [parameters]
        #expect(await status(mixed) == 401)
        #expect(await status(fields[1]) == 200)
    }

    private func keys(of phone: Phone, and server: ServedBank) throws -> [String: String] {
        let responseKey = server.responseKey.publicKey
        return [
            phone.id.description: hexadecimal(phone.key.publicKey.subjectPublicKeyInfo),
            try ServerKeyID(of: responseKey).description: hexadecimal(
                responseKey.subjectPublicKeyInfo
            ),
        ]
    }
}

/// A request and its response, in the format of Tests/ReferenceCheckers/signatures.py.
private struct JudgedExchange: Encodable {
    struct AskedRequest: Encodable {
        let method: String
        var url: String
        let headers: [String: String]
        let body: String
    }

    struct GivenResponse: Encodable {
        var status_code: Int
        var headers: [String: String]
        var body: String
    }

    var request: AskedRequest
    var response: GivenResponse
    /// By key id, as hexadecimal digits of the X.509 form.
    let keys: [String: String]

    init(_ request: SignedRequest, _ response: Response, keys: [String: String]) {
        self.request = AskedRequest(
            method: request.message.method,
            url: request.message.targetURI,
            headers: Dictionary(uniqueKeysWithValues: request.fields.map { ($0.name, $0.value) }),
            body: hexadecimal(request.message.body)
        )
        self.response = GivenResponse(
            status_code: response.status,
            headers: Dictionary(uniqueKeysWithValues: response.fields.map { ($0.name, $0.value) }),
            body: hexadecimal(response.bytes)
        )
        self.keys = keys
    }

    /// For each pair the request, and then the response.
    static func verdicts(on exchanges: [JudgedExchange]) throws -> [String] {
        let judgement = try ReferenceCheckers.check(
            "signatures.py",
            given: Array(JSONEncoder().encode(exchanges))
        )
        return judgement.split(separator: "\n").map(String.init)
    }
}

/// A request in the format of Tests/ReferenceCheckers/sign.py.
private struct ForeignRequest: Encodable {
    let method: String
    let url: String
    let type: String
    let digest: String
    let key: String
    let keyid: String
    let created: UInt64
    let nonce: String

    init(_ own: SignedRequest, nonce: UInt8, by phone: Phone) throws {
        func value(_ name: String) throws -> String {
            try #require(own.fields.first { $0.name == name }).value
        }
        method = own.message.method
        url = own.message.targetURI
        type = try value("content-type")
        digest = try value("content-digest")
        key = try phone.key.scalar().withBytes { hexadecimal($0.array) }
        keyid = phone.id.description
        let input = try value("signature-input")
        let match = try #require(input.firstMatch(of: /created=(\d+)/))
        created = try #require(UInt64(match.1))
        self.nonce = hexadecimal([UInt8](repeating: nonce, count: 16))
    }

    static func signedFields(of requests: [ForeignRequest]) throws -> [[Field]] {
        let output = try ReferenceCheckers.check(
            "sign.py",
            given: Array(JSONEncoder().encode(requests))
        )
        return try JSONDecoder().decode([[[String]]].self, from: Data(output.utf8)).map { fields in
            fields.map { Field($0[0], $0[1]) }
        }
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String { TextEncoding.hexadecimal.encode(bytes.span) }
