import Cryptography
import TestSupport
import Testing
import TransactionApproval

@Suite struct `Signed requests` {
    @Test func `are accepted with the device's key only`() throws {
        let exchange = try SignedExchange()
        guard case .authentic(let request) = try exchange.verdict() else {
            Issue.record("not authentic")
            return
        }
        #expect(request.message == SignedExchange.message)
        #expect(request.parameters == exchange.parameters)
        #expect(request.reference == exchange.request.reference)

        let other = try SignedExchange()
        #expect(try other.verdict(fields: exchange.request.fields) == .forged)
    }

    @Test func `have exactly these four fields`() throws {
        let deviceID = try #require(DeviceID("000102030405060708090a0b0c0d0e0f"))
        let nonce = try #require(RequestNonce("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"))
        let request = try SignedRequest(
            SignedExchange.message,
            parameters: DeviceSignatureParameters(
                deviceID: deviceID,
                created: SignedExchange.now + .milliseconds(999),
                nonce: nonce
            ),
            signedWith: P256.PrivateKey()
        )
        #expect(
            request.fields.prefix(3) == [
                HTTPField("content-type", "application/json"),
                HTTPField(
                    "content-digest",
                    "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"
                ),
                HTTPField(
                    "signature-input",
                    #"countersign=("@method" "@target-uri" "content-digest" "content-type")"#
                        + #";created=1618884473;nonce="f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff""#
                        + #";keyid="000102030405060708090a0b0c0d0e0f";tag="countersign-device-1""#
                ),
            ]
        )
        #expect(request.fields.dropFirst(3).map(\.name) == ["signature"])
        let signature = request.fields.value("signature")
        #expect(signature.hasPrefix("countersign=:") && signature.hasSuffix("==:"))
        #expect(signature.utf8.count == 13 + 88 + 1)
    }

    @Test func `may have an empty body with its digest`() throws {
        let message = RequestMessage(
            method: "GET",
            targetURI: "https://approve.example.com/",
            contentType: "application/json",
            body: []
        )
        let exchange = try SignedExchange(message)
        #expect(try !exchange.isRefused())
        #expect(try exchange.isRefused(body: [0]))
        let withoutDigest = exchange.request.fields.filter { $0.name != "content-digest" }
        #expect(throws: SignatureFailure.missing("content-digest")) {
            try exchange.verdict(fields: withoutDigest)
        }
    }

    @Test func `may have other fields, and field names in any letter case`() throws {
        let exchange = try SignedExchange()
        let fields = exchange.request.fields.map { HTTPField($0.name.uppercased(), $0.value) }
        #expect(try !exchange.isRefused(fields: fields + [HTTPField("Host", "other.example")]))
    }

    @Test func `SEC-42 with one bit of a field changed are refused`() throws {
        let exchange = try SignedExchange()
        for fields in exchange.request.fields.withOneBitFlipped {
            #expect(try exchange.isRefused(fields: fields), "\(fields)")
        }
    }

    @Test func `SEC-42 with one bit of method, target or body changed are refused`() throws {
        let exchange = try SignedExchange()
        for method in SignedExchange.message.method.withOneBitFlipped {
            #expect(try exchange.isRefused(method: method), "\(method)")
        }
        for target in SignedExchange.message.targetURI.withOneBitFlipped {
            #expect(try exchange.isRefused(targetURI: target), "\(target)")
        }
        for body in SignedExchange.message.body.withOneBitFlipped {
            #expect(try exchange.isRefused(body: body))
        }
        #expect(try exchange.isRefused(body: SignedExchange.message.body + [0x0a]))
        #expect(try exchange.isRefused(body: SignedExchange.message.body.dropLast()))
    }

    @Test(arguments: [
        "http://approve.example.com/device/v1/decisions?lang=de",
        "https://approve.example.com:443/device/v1/decisions?lang=de",
        "https://Approve.example.com/device/v1/decisions?lang=de",
        "https://approve.example.com./device/v1/decisions?lang=de",
        "https://approve.example.net/device/v1/decisions?lang=de",
        "https://a@approve.example.com/device/v1/decisions?lang=de",
        "https://approve.example.com/device/v1/decisions/?lang=de",
        "https://approve.example.com/device/v1/./decisions?lang=de",
        "https://approve.example.com/device/v1/%64ecisions?lang=de",
        "https://approve.example.com/device%2Fv1/decisions?lang=de",
        "https://approve.example.com/device%2fv1/decisions?lang=de",
        "https://approve.example.com/device/v1/Decisions?lang=de",
        "https://approve.example.com/device/v1/decisions?lang=%64e",
        "https://approve.example.com/device/v1/decisions?lang=de&",
        "https://approve.example.com/device/v1/decisions?lang=de#",
        "https://approve.example.com/device/v1/decisions?",
        "https://approve.example.com/device/v1/decisions",
        "/device/v1/decisions?lang=de",
    ])
    func `SEC-42 for a target in another spelling are forged`(_ target: String) throws {
        #expect(try SignedExchange().verdict(targetURI: target) == .forged)
    }

    @Test(arguments: ["post", "Post", "PUT", "POST2"])
    func `SEC-42 of another method are forged`(_ method: String) throws {
        #expect(try SignedExchange().verdict(method: method) == .forged)
    }

    /// Two lines would be two components.
    @Test(arguments: ["", "A\nB", "A\r", "A\t", "A\0", "Ä", " A", "A ", "A\u{7f}"])
    func `contain only one-line ASCII texts`(_ text: String) throws {
        let exchange = try SignedExchange()
        #expect(throws: SignatureFailure.malformed("@method")) {
            try exchange.verdict(method: text)
        }
        #expect(throws: SignatureFailure.malformed("@target-uri")) {
            try exchange.verdict(targetURI: text)
        }
        let message = RequestMessage(
            method: "POST",
            targetURI: "https://a.example/",
            contentType: text,
            body: []
        )
        #expect(throws: SignatureFailure.malformed("content-type")) { try SignedExchange(message) }
    }

    /// A server that identifies requests by signature would accept this as a new request.
    @Test func `keep their nonce under a second valid signature`() throws {
        let exchange = try SignedExchange()
        let fields = try exchange.request.fields.changing("signature", withNegatedS)
        #expect(fields != exchange.request.fields)
        guard case .authentic(let request) = try exchange.verdict(fields: fields) else {
            Issue.record("not authentic")
            return
        }
        #expect(request.parameters.nonce == exchange.parameters.nonce)
        #expect(request.reference != exchange.request.reference)
    }
}

/// The same signature with n − s for s.
private func withNegatedS(_ field: String) throws -> String {
    let order = try TextEncoding.hexadecimal.decode(
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
    )
    var raw = try TextEncoding.base64.decode(String(field.dropFirst(13).dropLast()))
    var borrow = 0
    for index in (0..<32).reversed() {
        let difference = Int(order[index]) - Int(raw[32 + index]) - borrow
        borrow = difference < 0 ? 1 : 0
        raw[32 + index] = UInt8((difference + 256) % 256)
    }
    return "countersign=:\(TextEncoding.base64.encode(raw.span)):"
}
