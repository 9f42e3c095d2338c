import Cryptography
import TestSupport
import Testing
import TransactionApproval

@Suite struct `python3-cryptography agrees on` {
    @Test func `requests that we sign`() throws {
        let exchange = try SignedExchange()
        var message = PythonSignatures(exchange.request.fields, exchange.request.message.body)
        message.components = exchange.components
        message.key = hexadecimal(exchange.deviceKey.publicKey.subjectPublicKeyInfo)
        #expect(try message.verify().output == "good\n")

        message.components["@target-uri"]?.append("&")
        #expect(try message.verify().errorOutput.contains("InvalidSignature"))
    }

    @Test func `responses that we sign`() throws {
        let exchange = try SignedExchange()
        var message = PythonSignatures(try exchange.signedResponse(), SignedExchange.response.body)
        message.components = ["@status": "200"]
        message.request = exchange.components
        message.key = hexadecimal(exchange.serverKey.publicKey.subjectPublicKeyInfo)
        #expect(try message.verify().output == "good\n")

        message.request["signature"] = "countersign=:AA==:"
        #expect(try message.verify().errorOutput.contains("InvalidSignature"))
    }

    @Test func `requests that it signs`() throws {
        let exchange = try SignedExchange()
        var message = PythonSignatures(
            [HTTPField("content-type", "application/json")],
            Array("{}".utf8)
        )
        message.components = ["@method": "POST", "@target-uri": "https://a.example/b?c=%20"]
        message.list = ["@method", "@target-uri", "content-digest", "content-type"]
        message.parameters = exchange.requestBase.parameters
        let signed = try message.signed()
        let encodedKey = try TextEncoding.hexadecimal.decode(signed.key)
        let key = try P256.PublicKey(subjectPublicKeyInfo: encodedKey.span)

        let request = try UnverifiedRequest(
            method: "POST",
            targetURI: "https://a.example/b?c=%20",
            fields: signed.fields.map { HTTPField($0.key, $0.value) },
            body: Array("{}".utf8)
        )
        #expect(request.parameters == exchange.parameters)
        guard case .authentic = try request.verdict(for: key, at: SignedExchange.now) else {
            Issue.record("not authentic")
            return
        }
        #expect(
            try request.verdict(for: exchange.deviceKey.publicKey, at: SignedExchange.now)
                == .forged
        )
    }

}

private func hexadecimal(_ bytes: [UInt8]) -> String { TextEncoding.hexadecimal.encode(bytes.span) }

extension PythonSignatures {
    fileprivate init(_ fields: [HTTPField], _ body: [UInt8]) {
        self.init(
            fields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) }),
            body: hexadecimal(body)
        )
    }
}

extension SignedExchange {
    fileprivate var components: [String: String] {
        let fields = request.fields.map { ($0.name, $0.value) }
        return ["@method": request.message.method, "@target-uri": request.message.targetURI]
            .merging(fields) { $1 }
    }
}
