import Cryptography
import OneTimePassword
import TransactionApproval

@testable import SelfTest

extension VectorType {
    static let signedRequest = VectorType(
        name: "signed-request",
        inputs: [
            .text("method"), .text("target_uri"), .list("fields"), .text("body"),
            .bytes("public_key_hex"), .text("now"),
        ],
        results: [.text("device"), .text("nonce"), .text("created"), .text("verdict")]
    ) { row in
        let request = try UnverifiedRequest(
            method: row.text("method"),
            targetURI: row.text("target_uri"),
            fields: row.fields("fields"),
            body: Array(try row.text("body").utf8)
        )
        let now = try row.orRefused(Timestamp(milliseconds: try row.counter("now").value))
        let verdict = try request.verdict(for: row.publicKey("public_key_hex"), at: now)
        return [
            "device": .text("\(request.parameters.deviceID)"),
            "nonce": .text("\(request.parameters.nonce)"),
            "created": .text("\(request.parameters.created.milliseconds)"),
            "verdict": .text(try verdict.name()),
        ]
    }

    static let signedResponse = VectorType(
        name: "signed-response",
        inputs: [
            .text("request_method"), .text("request_target_uri"), .list("request_fields"),
            .text("request_body"), .bytes("device_key_hex"), .integer("status"), .list("fields"),
            .text("body"), .list("server_keys"),
        ],
        results: [.text("key"), .text("created")]
    ) { row in
        let response = UnverifiedResponse(
            status: try row.integer("status"),
            fields: try row.fields("fields"),
            body: Array(try row.text("body").utf8)
        )
        let reference = try row.requestReference()
        for key in try row.serverKeys() {
            let keys = try ServerKeys(current: key)
            guard let authentic = try response.authentic(to: reference, from: keys) else {
                continue
            }
            return [
                "key": .text("\(try ServerKeyID(of: key))"),
                "created": .text("\(authentic.created.milliseconds)"),
            ]
        }
        throw VectorCase.Refused()
    }
}

extension UnverifiedRequest.Verdict {
    fileprivate func name() throws -> String {
        switch self {
        case .authentic: "authentic"
        case .clockSkew: "clock-skew"
        case .forged: throw VectorCase.Refused()
        }
    }
}

extension VectorCase {
    /// Each is a pair of name and value.
    fileprivate func fields(_ name: String) throws -> [HTTPField] {
        try list(name).map { entry in
            guard case .list(let pair) = entry, pair.count == 2,
                case .text(let name) = pair[0], case .text(let value) = pair[1]
            else { throw Refused() }
            return HTTPField(name, value)
        }
    }

    fileprivate func publicKey(_ name: String) throws -> P256.PublicKey {
        let encoded = try bytes(name)
        return try P256.PublicKey(subjectPublicKeyInfo: encoded.span)
    }

    fileprivate func serverKeys() throws -> [P256.PublicKey] {
        try list("server_keys").map { entry in
            guard case .text(let text) = entry else { throw Refused() }
            let encoded = try TextEncoding.hexadecimal.decode(text)
            return try P256.PublicKey(subjectPublicKeyInfo: encoded.span)
        }
    }

    /// The request of the response; it must be signed by its own key.
    fileprivate func requestReference() throws -> RequestReference {
        let request = try UnverifiedRequest(
            method: text("request_method"),
            targetURI: text("request_target_uri"),
            fields: fields("request_fields"),
            body: Array(try text("request_body").utf8)
        )
        let verdict = try request.verdict(
            for: publicKey("device_key_hex"),
            at: request.parameters.created
        )
        guard case .authentic(let authentic) = verdict else { throw Refused() }
        return authentic.reference
    }
}
