package import Cryptography

package struct SignedRequest: Equatable, Sendable {
    package let message: RequestMessage
    /// All header fields of the message, with its content type.
    package let fields: [HTTPField]
    /// The part that the response must cover.
    package let reference: RequestReference

    package init(
        _ message: RequestMessage,
        parameters: DeviceSignatureParameters,
        signedWith key: P256.PrivateKey
    ) throws(SignatureFailure) {
        let fields = try SignedFields(
            contentType: message.contentType,
            body: message.body,
            signedWith: key
        ) { digest throws(SignatureFailure) in
            try message.signatureBase(contentDigest: digest, parameters: parameters.text)
        }
        self.message = message
        self.fields = fields.list
        reference = RequestReference(message, fields)
    }
}
