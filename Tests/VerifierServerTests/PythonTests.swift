import Cryptography
import HTTPServer
import TestSupport
import Testing
import TransactionApproval
import Verifier
import VerifierServer
import VerifierWorld

@Suite struct `python3-cryptography finds good` {
    @Test func `SEC-42: what the server answers, refusals included, and nothing else`()
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
        var statuses: [Int] = []
        for request in requests {
            let answer = await server.api.answer(try Request(request))
            statuses.append(answer.status)
            var message = PythonSignatures(answer, to: request)
            let key = server.answerKey.publicKey.subjectPublicKeyInfo
            message.key = TextEncoding.hexadecimal.encode(key.span)
            #expect(try message.verify().output == "good\n")
            message.components["@status"] = "201"
            #expect(try message.verify().errorOutput.contains("InvalidSignature"))
        }
        #expect(statuses == [200, 401, 403, 200, 400])
    }
}

extension PythonSignatures {
    fileprivate init(_ answer: Response, to request: SignedRequest) {
        self.init(
            fields: Dictionary(uniqueKeysWithValues: answer.fields.map { ($0.name, $0.value) }),
            body: TextEncoding.hexadecimal.encode(answer.bytes.span)
        )
        components = ["@status": "\(answer.status)"]
        self.request = [
            "@method": request.message.method, "@target-uri": request.message.targetURI,
        ]
        .merging(request.fields.map { ($0.name, $0.value) }) { $1 }
    }
}
