import Cryptography
import TestSupport
import Testing
import TransactionApproval

@Suite struct `The head of a stream` {
    private let exchange: SignedExchange
    private let opening = StreamHead(contentType: "text/event-stream")
    private let fields: [HTTPField]

    init() throws {
        exchange = try SignedExchange()
        fields = try opening.signedFields(
            respondingTo: exchange.request.reference,
            created: SignedExchange.now,
            with: exchange.serverKey
        )
    }

    private func isSigned(
        status: Int = 200,
        _ fields: [HTTPField],
        to request: SignedRequest? = nil,
        from keys: ServerKeys? = nil
    ) throws -> Bool {
        try UnverifiedResponse(status: status, fields: fields, body: []).signer(
            of: opening,
            to: (request ?? exchange.request).reference,
            from: keys ?? exchange.trusted
        ) == exchange.serverKey.publicKey
    }

    @Test func `is accepted as signed, and covers exactly these components`() throws {
        #expect(try isSigned(fields))
        let id = try ServerKeyID(of: exchange.serverKey.publicKey)
        #expect(
            fields.value("signature-input")
                == #"countersign=("@status" "content-type" "@method";req "@target-uri";req "#
                + #""content-digest";req "signature-input";req "signature";req)"#
                + #";created=1618884473;keyid="\#(id)";tag="countersign-server-1""#
        )
        #expect(fields.map(\.name) == ["content-type", "signature-input", "signature"])
    }

    @Test func `SEC-42 is rejected with one changed bit, for another request or by another key`()
        throws
    {
        for changed in fields.withOneBitFlipped { #expect(try !isSigned(changed), "\(changed)") }
        for bit in 0..<10 { #expect(try !isSigned(status: 200 ^ 1 << bit, fields)) }
        #expect(try !isSigned(fields, to: try SignedExchange().request))
        let others = try ServerKeys(current: try P256.PrivateKey().publicKey)
        #expect(try !isSigned(fields, from: others))
        for name in fields.map(\.name) {
            #expect(try !isSigned(fields.filter { $0.name != name }))
            #expect(try !isSigned(fields + fields.filter { $0.name == name }))
        }
    }

    @Test func `SEC-42 is not valid as a whole response, nor the reverse`() throws {
        let empty = ResponseMessage(status: 200, contentType: opening.contentType, body: [])
        #expect(try !isSigned(exchange.signedResponse(empty)))
        let digest = try #require(
            exchange.signedResponse(empty).first { $0.name == "content-digest" }
        )
        #expect(try exchange.authentic(fields: fields, body: []) == nil)
        #expect(try exchange.authentic(fields: fields + [digest], body: []) == nil)
    }
}
