import Cryptography
import Testing
import TransactionApproval

/// Valid signatures over messages that break the profile.
@Suite struct `The form of a signed request` {
    @Test func `is the form that these tests write`() throws {
        let exchange = try SignedExchange()
        let fields = try exchange.requestBase.signing(
            exchange.request.fields,
            with: exchange.deviceKey
        )
        #expect(fields.value("signature-input") == exchange.request.fields.value("signature-input"))
        #expect(try !exchange.isRefused(fields: fields))
    }

    @Test func `allows no other list of components`() throws {
        let exchange = try SignedExchange()
        let base = exchange.requestBase
        var others = base.withAnotherList
        #expect(others.count == 6 + 4 + 4)
        for component in ["\"@authority\"", "\"content-digest\";req", "\"content-length\""] {
            var longer = base
            longer.lines.append((component, "18"))
            others.append(longer)
        }
        for suffix in [";sf", ";bs", ";tr", ";req", ";key=\"sha-256\"", "; sf"] {
            var other = base
            other.lines[2].identifier += suffix
            others.append(other)
        }
        try expectRefused(others, in: exchange)
    }

    @Test func `accepts its parameters in any order`() throws {
        let exchange = try SignedExchange()
        var base = exchange.requestBase
        let orders = permutations(exchange.parameterTexts)
        #expect(orders.count == 24)
        for order in orders {
            base.parameters = order.joined()
            let fields = try base.signing(exchange.request.fields, with: exchange.deviceKey)
            guard case .authentic(let request) = try exchange.verdict(fields: fields) else {
                Issue.record("not authentic: \(order)")
                continue
            }
            #expect(request.parameters == exchange.parameters)
        }
    }

    @Test func `rejects parameters in another order than the signed one`() throws {
        let exchange = try SignedExchange()
        for order in permutations(exchange.parameterTexts).dropFirst() {
            let fields = exchange.request.fields.changing("signature-input") {
                $0.replacing(exchange.requestBase.parameters, with: order.joined())
            }
            #expect(try exchange.verdict(fields: fields) == .forged)
        }
    }

    @Test func `rejects missing, repeated and unknown parameters`() throws {
        let exchange = try SignedExchange()
        let base = exchange.requestBase
        let texts = exchange.parameterTexts
        let orders = permutations(texts).map { $0.joined() }
        let missing: [String] = texts.indices.map { removed in
            texts.indices.filter { $0 != removed }.map { texts[$0] }.joined()
        }
        var repeated: [String] = []
        for text in texts {
            repeated += [base.parameters + text, text + base.parameters]
            repeated += missing.map { text + $0 }.filter { !orders.contains($0) }
        }
        let unknownTexts = [
            ";alg=\"ecdsa-p256-sha256\"", ";expires=1618884773", ";", ";x", ";x=1", ";=1",
        ]
        let unknown = unknownTexts.flatMap { [base.parameters + $0, $0 + base.parameters] }
        let others = [""] + missing + repeated + unknown
        #expect(repeated.count == 4 * 2 + 4 * 3)
        let bases = others.map { HandWrittenBase(lines: base.lines, parameters: $0) }
        try expectRefused(bases, in: exchange)
    }

    @Test(arguments: [
        ("created=1618884473", "created=-1"), ("created=1618884473", "created=+1618884473"),
        ("created=1618884473", "created=1618884473.0"),
        ("created=1618884473", "created=01618884473"), ("created=1618884473", "created="),
        ("created=1618884473", "created=\"1618884473\""), ("created=1618884473", "created=@1"),
        ("created=1618884473", "created=1618884473 "), ("created=1618884473", "created"),
        ("created=1618884473", "created=1000000000000000"),
        ("created=1618884473", "created=18446744073709551615"),
        ("created=1618884473", "created=18446744073709551616"),
        ("created=1618884473", "created=1e9"), ("created=1618884473", "Created=1618884473"),
        ("nonce=\"", "nonce=\"00"), ("nonce=\"", "nonce=\" "), ("nonce=\"", "nonce=\"\\"),
        ("nonce=\"", "nonce=:"), ("\";keyid", "00\";keyid"), ("\";keyid", "\"; keyid"),
        ("\";tag", "00\";tag"), ("keyid=\"", "keyid="), (";tag=", "; tag="),
        ("device-1", "device-2"),
        ("device-1", "server-1"), ("\"countersign-device-1\"", "countersign-device-1"),
        ("device-1", "Device-1"), (";nonce", "\t;nonce"), (";nonce", "\u{37e}nonce"),
    ])
    func `allows no other spelling of a parameter`(old: String, new: String) throws {
        let exchange = try SignedExchange()
        var base = exchange.requestBase
        base.parameters.replace(old, with: new)
        #expect(Array(base.parameters.utf8) != Array(exchange.requestBase.parameters.utf8))
        try expectRefused([base], in: exchange)
    }

    @Test func `has a nonce and a key id of 16 bytes each, in lower case`() throws {
        let exchange = try SignedExchange()
        for text in ["\(exchange.parameters.nonce)", "\(exchange.parameters.deviceID)"] {
            for other in [text.dropLast(2) + "", text + "00", String(text.dropLast()), ""] {
                var base = exchange.requestBase
                base.parameters.replace(text, with: other)
                try expectRefused([base], in: exchange)
            }
        }
        let nonce = try #require(RequestNonce("abcdefabcdefabcdefabcdefabcdefab"))
        var base = exchange.requestBase
        base.parameters.replace("\(exchange.parameters.nonce)", with: "\(nonce)".uppercased())
        try expectRefused([base], in: exchange)
        base.parameters.replace("\(nonce)".uppercased(), with: "\(nonce)")
        let fields = try base.signing(exchange.request.fields, with: exchange.deviceKey)
        #expect(try !exchange.isRefused(fields: fields))
    }

    /// The maximum of a structured field is a valid time.
    @Test(arguments: ["0", "999999999999999"])
    func `accepts each time of a structured field`(created: String) throws {
        let exchange = try SignedExchange()
        var base = exchange.requestBase
        base.parameters.replace("1618884473", with: created)
        let fields = try base.signing(exchange.request.fields, with: exchange.deviceKey)
        guard case .clockSkew = try exchange.verdict(fields: fields) else {
            Issue.record("not a clock skew")
            return
        }
    }

    @Test(arguments: ["content-type", "content-digest", "signature-input", "signature"])
    func `has each of its fields once`(name: String) throws {
        let exchange = try SignedExchange()
        let fields = exchange.request.fields
        #expect(throws: SignatureFailure.missing(name)) {
            try exchange.verdict(fields: fields.filter { $0.name != name })
        }
        #expect(throws: SignatureFailure.repeated(name)) {
            let again = HTTPField(name.uppercased(), fields.value(name))
            return try exchange.verdict(fields: fields + [again])
        }
        for change in [{ "\($0), \($0)" }, { " \($0)" }, { "\($0) " }, { _ in "" }, { "\($0)," }]
            as [(String) -> String]
        {
            #expect(try exchange.isRefused(fields: fields.changing(name, change)))
        }
    }

    @Test func `has one label`() throws {
        let exchange = try SignedExchange()
        let fields = exchange.request.fields
        for label in ["sig1", "Countersign", "countersign2", ""] {
            let other = fields.map {
                HTTPField($0.name, $0.value.replacing("countersign=", with: label + "="))
            }
            #expect(throws: SignatureFailure.malformed("signature-input")) {
                try exchange.verdict(fields: other)
            }
        }
        let second = fields.map { field in
            let other = field.value.replacing("countersign=", with: "other=")
            return field.value == other ? field : HTTPField(field.name, "\(field.value), \(other)")
        }
        #expect(throws: SignatureFailure.malformed("signature-input")) {
            try exchange.verdict(fields: second)
        }
    }

    @Test func `has a signature of 64 bytes in base64`() throws {
        let exchange = try SignedExchange()
        let signature = exchange.request.fields.value("signature")
        let raw = try TextEncoding.base64.decode(String(signature.dropFirst(13).dropLast()))
        let encoded = try P256.Signature(raw: raw.span).distinguishedEncoding
        for bytes in [encoded, Array(raw.dropLast()), raw + [0], []] {
            let text = "countersign=:\(TextEncoding.base64.encode(bytes.span)):"
            try expectMalformed(signature: text, in: exchange)
        }
        for text in [
            signature.replacing("==:", with: ":"), signature.replacing("=:", with: "="),
            signature.replacing("==:", with: "=="), signature + ";x", "countersign=:", "",
            signature.replacing(":", with: "\""), signature.replacing("==:", with: " ==:"),
        ] where !text.isEmpty {
            try expectMalformed(signature: text, in: exchange)
        }
        let zero = [UInt8](repeating: 0, count: 64)
        let fields = exchange.request.fields.changing("signature") { _ in
            "countersign=:\(TextEncoding.base64.encode(zero.span)):"
        }
        #expect(try exchange.verdict(fields: fields) == .forged)
    }

    @Test(arguments: [
        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:",
        "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE:",
        "sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=",
        "SHA-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
        "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:;x",
        "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:, sha-512=:AA==:",
        "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:",
    ])
    func `has one digest, by SHA-256, of this body`(digest: String) throws {
        let exchange = try SignedExchange()
        var base = exchange.requestBase
        base.lines[2].value = digest
        let fields = try base.signing(exchange.request.fields, with: exchange.deviceKey)
            .changing("content-digest") { _ in digest }
        #expect(throws: SignatureFailure.wrongDigest) { try exchange.verdict(fields: fields) }
    }

    private func permutations(_ texts: [String]) -> [[String]] {
        guard texts.count > 1 else { return [texts] }
        return texts.indices.flatMap { first in
            let remaining = texts.indices.filter { $0 != first }.map { texts[$0] }
            return permutations(remaining).map { [texts[first]] + $0 }
        }
    }

    private func expectRefused(_ bases: [HandWrittenBase], in exchange: SignedExchange) throws {
        for base in bases {
            let fields = try base.signing(exchange.request.fields, with: exchange.deviceKey)
            #expect(throws: SignatureFailure.malformed("signature-input"), "\(base)") {
                try exchange.verdict(fields: fields)
            }
        }
    }

    private func expectMalformed(signature: String, in exchange: SignedExchange) throws {
        let fields = exchange.request.fields.changing("signature") { _ in signature }
        #expect(throws: SignatureFailure.malformed("signature"), "\(signature)") {
            try exchange.verdict(fields: fields)
        }
    }
}

extension SignedExchange {
    fileprivate var parameterTexts: [String] {
        [
            ";created=1618884473", ";nonce=\"\(parameters.nonce)\"",
            ";keyid=\"\(parameters.deviceID)\"", ";tag=\"countersign-device-1\"",
        ]
    }
}
