package import Cryptography

/// A request with the signature of the device that sends it.
package struct SignedRequest: Equatable, Sendable {
    package let message: RequestMessage
    /// To be sent with the message, its content type among them.
    package let fields: [HTTPField]
    /// What the answer must refer to.
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
