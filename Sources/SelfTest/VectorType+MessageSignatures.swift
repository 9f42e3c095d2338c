import Cryptography
import TransactionApproval

extension VectorType {
    static let contentDigest = VectorType(
        name: "content-digest",
        inputs: [.bytes("content_hex")],
        results: [.text("content_digest")]
    ) { row in
        ["content_digest": .text(try ContentDigest(of: row.bytes("content_hex")).fieldValue)]
    }

    static let messageSignature = VectorType(
        name: "message-signature",
        inputs: [
            .list("components"), .text("parameters"), .bytes("public_key_hex"),
            .bytes("signature_hex"),
        ],
        results: [.text("signature_base")]
    ) { row in
        let base = try SignatureBase(
            covering: row.components(),
            parameters: row.text("parameters")
        )
        let publicKey = try row.bytes("public_key_hex")
        let key = try P256.PublicKey(subjectPublicKeyInfo: publicKey.span)
        let raw = try row.bytes("signature_hex")
        let signature = try P256.Signature(raw: raw.span)
        guard try key.isValid(signature, for: base.bytes.span) else { throw VectorCase.Refused() }
        return ["signature_base": .text(String(decoding: base.bytes, as: UTF8.self))]
    }
}

extension VectorCase {
    /// Each is a pair of name and value; `;req` after a name marks a field of the request.
    fileprivate func components() throws -> [SignatureBase.Component] {
        try list("components").map { entry in
            guard case .list(let pair) = entry, pair.count == 2,
                case .text(let name) = pair[0], case .text(let value) = pair[1]
            else { throw Refused() }
            let isOfRequest = name.hasSuffix(";req")
            return SignatureBase.Component(
                isOfRequest ? String(name.dropLast(4)) : name,
                value,
                ofRequest: isOfRequest
            )
        }
    }
}
