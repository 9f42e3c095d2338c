package import Cryptography

/// A response to a device.
package struct ResponseMessage: Equatable, Sendable {
    package let status: Int
    package let contentType: String
    package let body: [UInt8]

    package init(status: Int, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// The header fields of the response to this request.
    ///
    /// A device uses `created` to correct its clock.
    package func signedFields(
        respondingTo request: RequestReference,
        created: Timestamp,
        with key: P256.PrivateKey
    ) throws(SignatureFailure) -> [HTTPField] {
        let keyID = try translatingSystemFailure(
            ServerKeyID(of: key.publicKey),
            to: SignatureFailure.system
        )
        let parameters = ServerSignatureParameters(keyID: keyID, created: created)
        let fields = try SignedFields(
            contentType: contentType,
            body: body,
            signedWith: key
        ) { digest throws(SignatureFailure) in
            try signatureBase(
                contentDigest: digest,
                respondingTo: request,
                parameters: parameters.text
            )
        }
        return fields.list
    }

    func signatureBase(
        contentDigest: String,
        respondingTo request: RequestReference,
        parameters: String
    ) throws(SignatureFailure) -> SignatureBase {
        try SignatureBase(
            covering: [
                .init("@status", "\(status)"),
                .init("content-digest", contentDigest),
                .init("content-type", contentType),
            ] + request.components,
            parameters: parameters
        )
    }
}
