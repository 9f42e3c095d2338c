import Cryptography
import TestSupport
import Testing
import TransactionApproval

@Suite struct `Signed responses` {
    @Test func `are accepted as the server signed them`() throws {
        let exchange = try SignedExchange()
        let response = try #require(try exchange.authentic(fields: exchange.signedResponse()))
        #expect(response.message == SignedExchange.response)
        #expect(response.created == SignedExchange.now)
    }

    @Test func `list exactly these components and parameters`() throws {
        let exchange = try SignedExchange()
        let fields = try exchange.signedResponse()
        let id = try ServerKeyID(of: exchange.serverKey.publicKey)
        #expect(
            fields.value("signature-input")
                == #"countersign=("@status" "content-digest" "content-type" "@method";req "#
                + #""@target-uri";req "content-digest";req "signature-input";req "signature";req)"#
                + #";created=1618884473;keyid="\#(id)";tag="countersign-server-1""#
        )
        #expect(id.description.utf8.count == 32)
        #expect(fields.map(\.name) == exchange.request.fields.map(\.name))
    }

    @Test func `SEC-42 with one changed bit in status, fields or body are rejected`() throws {
        let exchange = try SignedExchange()
        let fields = try exchange.signedResponse()
        for changed in fields.withOneBitFlipped {
            #expect(try exchange.authentic(fields: changed) == nil, "\(changed)")
        }
        for body in SignedExchange.response.body.withOneBitFlipped {
            #expect(try exchange.authentic(fields: fields, body: body) == nil)
        }
        for bit in 0..<10 {
            let status = SignedExchange.response.status ^ 1 << bit
            #expect(try exchange.authentic(status: status, fields: fields) == nil)
        }
    }

    @Test func `SEC-42 to another request are rejected`() throws {
        let exchange = try SignedExchange()
        let fields = try exchange.signedResponse()
        // Only nonce and signature differ.
        let nonce = DeviceSignatureParameters(
            deviceID: exchange.parameters.deviceID,
            created: exchange.parameters.created,
            nonce: try .random()
        )
        let again = try SignedRequest(
            SignedExchange.message,
            parameters: nonce,
            signedWith: exchange.deviceKey
        )
        // Only the signature differs.
        let twin = try SignedRequest(
            SignedExchange.message,
            parameters: exchange.parameters,
            signedWith: exchange.deviceKey
        )
        for other in [again, twin] {
            #expect(try exchange.authentic(fields: fields, to: other) == nil)
        }
    }

    @Test func `SEC-42 with another list of components are rejected`() throws {
        let exchange = try SignedExchange()
        let fields = try exchange.signedResponse()
        let base = try exchange.responseBase(fields)
        let right = try base.signing(fields, with: exchange.serverKey)
        #expect(try exchange.authentic(fields: right) != nil)

        var others = base.withAnotherList
        #expect(others.count == 28 + 8 + 8)
        for index in base.lines.indices {
            var other = base
            let identifier = base.lines[index].identifier
            other.lines[index].identifier =
                identifier.hasSuffix(";req")
                ? identifier.replacing(";req", with: "") : identifier + ";req"
            others.append(other)
        }
        for suffix in [";key=\"countersign\"", ";bs"] {
            var other = base
            other.lines[7].identifier += suffix
            others.append(other)
        }
        for other in others {
            let changed = try other.signing(fields, with: exchange.serverKey)
            #expect(try exchange.authentic(fields: changed) == nil, "\(other)")
        }
    }

    @Test func `are accepted with their parameters in any order`() throws {
        let exchange = try SignedExchange()
        let fields = try exchange.signedResponse()
        var base = try exchange.responseBase(fields)
        let id = try ServerKeyID(of: exchange.serverKey.publicKey)
        let (created, key) = (";created=1618884473", ";keyid=\"\(id)\"")
        let tag = ";tag=\"countersign-server-1\""
        for order in [created + tag + key, key + created + tag, tag + key + created] {
            base.parameters = order
            let changed = try base.signing(fields, with: exchange.serverKey)
            #expect(try exchange.authentic(fields: changed)?.created == SignedExchange.now)
        }
        for repeated in [created + created + tag, created + key + tag + key] {
            base.parameters = repeated
            let changed = try base.signing(fields, with: exchange.serverKey)
            #expect(try exchange.authentic(fields: changed) == nil)
        }
    }

    @Test(arguments: [
        ("server-1", "device-1"), ("server-1", "server-2"), (";created=1618884473", ""),
        ("created=1618884473", "created=-1"), ("created=1618884473", "created=01618884473"),
        ("created=1618884473", "created=1618884473.5"),
        (";tag", ";nonce=\"00112233445566778899aabbccddeeff\";tag"), (";tag", ";alg=\"x\";tag"),
        (";keyid=\"", ";keyid=\"00"), (";keyid=\"", "; keyid=\""),
    ])
    func `SEC-42 with other parameters are rejected`(old: String, new: String) throws {
        let exchange = try SignedExchange()
        let fields = try exchange.signedResponse()
        var base = try exchange.responseBase(fields)
        base.parameters.replace(old, with: new)
        let changed = try base.signing(fields, with: exchange.serverKey)
        #expect(changed.value("signature-input") != fields.value("signature-input"))
        #expect(try exchange.authentic(fields: changed) == nil)
    }

    @Test func `are accepted only from the pinned keys, each with its own name`() throws {
        let exchange = try SignedExchange()
        let (next, stranger) = (try P256.PrivateKey(), try P256.PrivateKey())
        let reference = exchange.request.reference
        func fields(by key: P256.PrivateKey) throws -> [HTTPField] {
            try SignedExchange.response.signedFields(
                respondingTo: reference,
                created: SignedExchange.now,
                with: key
            )
        }
        func isTaken(_ fields: [HTTPField], by keys: ServerKeys) throws -> Bool {
            let (status, body) = (SignedExchange.response.status, SignedExchange.response.body)
            let response = UnverifiedResponse(status: status, fields: fields, body: body)
            return try response.authentic(to: reference, from: keys) != nil
        }
        let current = exchange.serverKey
        let both = try ServerKeys(current: current.publicKey, next: next.publicKey)
        #expect(try isTaken(fields(by: current), by: both))
        #expect(try isTaken(fields(by: next), by: both))
        #expect(try !isTaken(fields(by: next), by: exchange.trusted))
        #expect(try !isTaken(fields(by: stranger), by: both))
        #expect(try !isTaken(fields(by: exchange.deviceKey), by: both))

        let right = try fields(by: current)
        let base = try exchange.responseBase(right)
        for other in [next, stranger] {
            let underFalseName = try base.signing(right, with: other)
            #expect(try !isTaken(underFalseName, by: both))
        }
    }

    @Test func `are rejected without each signature field`() throws {
        let exchange = try SignedExchange()
        let fields = try exchange.signedResponse()
        #expect(try exchange.authentic(fields: []) == nil)
        for name in fields.map(\.name) {
            let fewer = fields.filter { $0.name != name }
            #expect(try exchange.authentic(fields: fewer) == nil)
            let more = fields + [HTTPField(name, fields.value(name))]
            #expect(try exchange.authentic(fields: more) == nil)
        }
    }

    @Test func `are not valid as requests, nor the reverse`() throws {
        let exchange = try SignedExchange()
        #expect(
            try exchange.isRefused(
                fields: exchange.signedResponse(),
                body: SignedExchange.response.body
            )
        )
        let fields = exchange.request.fields
        #expect(try exchange.authentic(fields: fields, body: SignedExchange.message.body) == nil)
    }

    @Test func `may have no body`() throws {
        let exchange = try SignedExchange()
        let response = ResponseMessage(status: 204, contentType: "application/json", body: [])
        let fields = try exchange.signedResponse(response)
        #expect(try exchange.authentic(status: 204, fields: fields, body: [])?.message == response)
        #expect(try exchange.authentic(status: 204, fields: fields, body: [0]) == nil)
    }

    @Test func `with a content type of two lines are not signed`() throws {
        let response = ResponseMessage(status: 200, contentType: "a/b\n", body: [])
        #expect(throws: SignatureFailure.malformed("content-type")) {
            try SignedExchange().signedResponse(response)
        }
    }
}
