import Cryptography
import Foundation
import TestSupport
import Testing
import TransactionApproval

/// Another implementation judges: a few lines of Python that follow RFC 9421 alone, and Debian's
/// `cryptography` package.
@Suite struct `python3-cryptography agrees on` {
    @Test func `requests that we sign`() throws {
        let exchange = try SignedExchange()
        var message = Message(exchange.request.fields, exchange.request.message.body)
        message.components = exchange.components
        message.key = hexadecimal(exchange.deviceKey.publicKey.subjectPublicKeyInfo)
        #expect(try python("verify", message).output == "good\n")

        message.components["@target-uri"]?.append("&")
        #expect(try python("verify", message).errorOutput.contains("InvalidSignature"))
    }

    @Test func `answers that we sign`() throws {
        let exchange = try SignedExchange()
        var message = Message(try exchange.signedAnswer(), SignedExchange.answer.body)
        message.components = ["@status": "200"]
        message.request = exchange.components
        message.key = hexadecimal(exchange.serverKey.publicKey.subjectPublicKeyInfo)
        #expect(try python("verify", message).output == "good\n")

        message.request["signature"] = "countersign=:AA==:"
        #expect(try python("verify", message).errorOutput.contains("InvalidSignature"))
    }

    @Test func `requests that it signs`() throws {
        let exchange = try SignedExchange()
        var message = Message([HTTPField("content-type", "application/json")], Array("{}".utf8))
        message.components = ["@method": "POST", "@target-uri": "https://a.example/b?c=%20"]
        message.list = ["@method", "@target-uri", "content-digest", "content-type"]
        message.parameters = exchange.requestBase.parameters
        let signed = try sign(message)

        let request = try UnverifiedRequest(
            method: "POST",
            targetURI: "https://a.example/b?c=%20",
            fields: signed.fields,
            body: Array("{}".utf8)
        )
        #expect(request.parameters == exchange.parameters)
        guard case .authentic = try request.verdict(for: signed.key, at: SignedExchange.now) else {
            Issue.record("not authentic")
            return
        }
        #expect(
            try request.verdict(for: exchange.deviceKey.publicKey, at: SignedExchange.now)
                == .forged
        )
    }

    private func sign(_ message: Message) throws -> (fields: [HTTPField], key: P256.PublicKey) {
        let result = try python("sign", message)
        let signed = try JSONDecoder().decode(Message.self, from: Data(result.output.utf8))
        let key = try TextEncoding.hexadecimal.decode(signed.key)
        return (
            signed.fields.map { HTTPField($0.key, $0.value) },
            try P256.PublicKey(subjectPublicKeyInfo: key.span)
        )
    }

    private func python(_ task: String, _ message: Message) throws -> FinishedProcess {
        try FinishedProcess.run(
            "/usr/bin/python3",
            ["-c", Self.program, task],
            input: Array(JSONEncoder().encode(message))
        )
    }

    private struct Message: Codable {
        var fields: [String: String]
        var body: String
        var components: [String: String] = [:]
        var request: [String: String] = [:]
        /// What to sign, and with which parameters.
        var list: [String] = []
        var parameters = ""
        var key = ""

        init(_ fields: [HTTPField], _ body: [UInt8]) {
            self.fields = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
            self.body = hexadecimal(body)
        }
    }

    private static let program = #"""
        import base64, hashlib, json, re, sys
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec, utils

        message = json.load(sys.stdin)
        fields = message["fields"]

        def value(name):
            if name.endswith(";req"):
                return message["request"][name.removesuffix(";req")]
            return message["components"].get(name) or fields[name]

        def base(list, parameters):
            quoted = ['"%s"%s' % tuple(re.match("([^;]*)(.*)", name).groups()) for name in list]
            lines = [a + ": " + value(name) for a, name in zip(quoted, list)]
            end = '"@signature-params": (' + " ".join(quoted) + ")" + parameters
            return "\n".join(lines + [end]).encode()

        def digest():
            hashed = hashlib.sha256(bytes.fromhex(message["body"])).digest()
            return "sha-256=:" + base64.b64encode(hashed).decode() + ":"

        def verify():
            label, inside, parameters = re.fullmatch(
                r"([a-z]+)=\(([^)]*)\)(;.*)", fields["signature-input"]
            ).groups()
            list = ["".join(part) for part in re.findall('"([^"]*)"((?:;req)?)', inside)]
            encoded = re.fullmatch(label + "=:(.*):", fields["signature"])[1]
            raw = base64.b64decode(encoded, validate=True)
            assert len(raw) == 64 and fields["content-digest"] == digest()
            r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
            key = serialization.load_der_public_key(bytes.fromhex(message["key"]))
            signature = utils.encode_dss_signature(r, s)
            key.verify(signature, base(list, parameters), ec.ECDSA(hashes.SHA256()))
            print("good")

        def sign():
            fields["content-digest"] = digest()
            key = ec.generate_private_key(ec.SECP256R1())
            signed = base(message["list"], message["parameters"])
            r, s = utils.decode_dss_signature(key.sign(signed, ec.ECDSA(hashes.SHA256())))
            raw = r.to_bytes(32, "big") + s.to_bytes(32, "big")
            fields["signature"] = "countersign=:" + base64.b64encode(raw).decode() + ":"
            fields["signature-input"] = "countersign=" + signed.decode().split("params\": ")[1]
            message["key"] = key.public_key().public_bytes(
                serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
            ).hex()
            print(json.dumps(message))

        {"verify": verify, "sign": sign}[sys.argv[1]]()
        """#
}

private func hexadecimal(_ bytes: [UInt8]) -> String { TextEncoding.hexadecimal.encode(bytes.span) }

extension SignedExchange {
    fileprivate var components: [String: String] {
        let fields = request.fields.map { ($0.name, $0.value) }
        return ["@method": request.message.method, "@target-uri": request.message.targetURI]
            .merging(fields) { $1 }
    }
}
