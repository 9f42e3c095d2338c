import Foundation

/// A second implementation of RFC 9421, in Python with Debian's `cryptography` package.
package struct PythonSignatures: Codable {
    package var fields: [String: String]
    /// In hexadecimal, like the key, which has its X.509 form.
    package var body: String
    package var key = ""
    package var components: [String: String] = [:]
    /// The components of the request for a response.
    package var request: [String: String] = [:]
    /// The components to sign, and the parameters.
    package var list: [String] = []
    package var parameters = ""

    package init(fields: [String: String], body: String) {
        self.fields = fields
        self.body = body
    }

    /// Prints "good", or fails with the reason.
    package func verify() throws -> FinishedProcess { try run("verify") }

    /// The same message, signed with a new key.
    package func signed() throws -> PythonSignatures {
        try JSONDecoder().decode(Self.self, from: Data(run("sign").output.utf8))
    }

    private func run(_ task: String) throws -> FinishedProcess {
        try FinishedProcess.run(
            "/usr/bin/python3",
            ["-c", Self.program, task],
            input: Array(JSONEncoder().encode(self))
        )
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
