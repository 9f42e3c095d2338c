package import Cryptography

/// What a server answers a device.
package struct AnswerMessage: Equatable, Sendable {
    package let status: Int
    package let contentType: String
    package let body: [UInt8]

    package init(status: Int, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// The header fields to send, which make this the server's answer to one request.
    ///
    /// Their time is the server's, from which a device learns how far off its own clock is.
    package func signedFields(
        answering request: RequestReference,
        created: Timestamp,
        with key: P256.PrivateKey
    ) throws(SignatureFailure) -> [HTTPField] {
        let (digest, keyID) = try SignatureFailure.wrapping { () throws(CryptographyFailure) in
            (try ContentDigest(of: body), try ServerKeyID(of: key.publicKey))
        }
        let base = try signatureBase(
            contentDigest: digest.fieldValue,
            answering: request,
            parameters: ServerSignatureParameters(keyID: keyID, created: created)
        )
        return try SignatureFailure.wrapping { () throws(CryptographyFailure) in
            try SignedFields(
                contentType: contentType,
                contentDigest: digest,
                signing: base,
                with: key
            ).list
        }
    }

    /// What the server signs: exactly this, in this order.
    func signatureBase(
        contentDigest: String,
        answering request: RequestReference,
        parameters: ServerSignatureParameters
    ) throws(SignatureFailure) -> SignatureBase {
        try SignatureBase(
            covering: [
                .init("@status", "\(status)"),
                .init("content-digest", contentDigest),
                .init("content-type", contentType),
            ] + request.components,
            parameters: parameters.text
        )
    }
}
