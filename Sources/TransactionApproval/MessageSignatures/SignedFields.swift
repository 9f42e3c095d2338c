import Cryptography

/// The four header fields of a signed message.
struct SignedFields {
    let contentType: String
    let contentDigest: String
    let signatureInput: String
    let signature: String

    /// What the one signature of a message is called in both of its dictionaries.
    private static let label = "countersign="

    /// Signs what `base` makes of the digest of this body.
    init(
        contentType: String,
        body: [UInt8],
        signedWith key: P256.PrivateKey,
        base: (_ contentDigest: String) throws(SignatureFailure) -> SignatureBase
    ) throws(SignatureFailure) {
        let digest = try SignatureFailure.wrapping { () throws(CryptographyFailure) in
            try ContentDigest(of: body)
        }
        let base = try base(digest.fieldValue)
        let text = Array(base.text.utf8)
        let raw = try SignatureFailure.wrapping { () throws(CryptographyFailure) in
            try key.signature(for: text.span).raw
        }
        self.contentType = contentType
        contentDigest = digest.fieldValue
        signatureInput = Self.label + base.signatureParameters
        signature = "\(Self.label):\(TextEncoding.base64.encode(raw.span)):"
    }

    /// Takes each of them once, with the digest of this body.
    init(_ fields: [HTTPField], of body: [UInt8]) throws(SignatureFailure) {
        contentType = try fields.value(of: "content-type")
        contentDigest = try fields.value(of: "content-digest")
        signatureInput = try fields.value(of: "signature-input")
        signature = try fields.value(of: "signature")
        let digest = try SignatureFailure.wrapping { () throws(CryptographyFailure) in
            try ContentDigest(of: body)
        }
        guard contentDigest == digest.fieldValue else { throw .wrongDigest }
    }

    var list: [HTTPField] {
        [
            HTTPField("content-type", contentType),
            HTTPField("content-digest", contentDigest),
            HTTPField("signature-input", signatureInput),
            HTTPField("signature", signature),
        ]
    }

    /// The signature, where `Signature-Input` says exactly what `base` does.
    ///
    /// Who has a signature can make a second one of it without the key (n − s for s), and hardware
    /// writes either: both are good, and neither ever serves to tell two messages apart.
    func signature(over base: SignatureBase) throws(SignatureFailure) -> P256.Signature {
        guard signatureInput == Self.label + base.signatureParameters else {
            throw .malformed("signature-input")
        }
        let start = Self.label + ":"
        guard
            signature.hasPrefix(start), signature.hasSuffix(":"),
            // Base64 in another spelling and another length are malformed alike.
            let raw = try? TextEncoding.base64.decode(
                String(signature.dropFirst(start.count).dropLast())
            ),
            let signature = try? P256.Signature(raw: raw.span)
        else { throw .malformed("signature") }
        return signature
    }
}
