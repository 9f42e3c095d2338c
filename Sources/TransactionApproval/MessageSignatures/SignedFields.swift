import Cryptography

/// The four header fields of a signed message.
struct SignedFields {
    let contentType: String
    let contentDigest: String
    let signature: SignatureFields

    init(
        contentType: String,
        body: [UInt8],
        signedWith key: P256.PrivateKey,
        base: (_ contentDigest: String) throws(SignatureFailure) -> SignatureBase
    ) throws(SignatureFailure) {
        let digest = try translatingSystemFailure(
            ContentDigest(of: body),
            to: SignatureFailure.system
        )
        self.contentType = contentType
        contentDigest = digest.fieldValue
        signature = try SignatureFields(signing: try base(digest.fieldValue), with: key)
    }

    /// Each field must exist exactly once, with the digest of this body.
    init(_ fields: [HTTPField], of body: [UInt8]) throws(SignatureFailure) {
        contentType = try fields.value(of: "content-type")
        contentDigest = try fields.value(of: "content-digest")
        signature = try SignatureFields(fields)
        let digest = try translatingSystemFailure(
            ContentDigest(of: body),
            to: SignatureFailure.system
        )
        guard contentDigest == digest.fieldValue else { throw .wrongDigest }
    }

    var list: [HTTPField] {
        [HTTPField("content-type", contentType), HTTPField("content-digest", contentDigest)]
            + signature.list
    }
}
