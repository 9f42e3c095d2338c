package import Cryptography

/// The head of a response without an end, for which there is no digest.
///
/// The signature shows that this server opened the stream; it does not cover the events, which are
/// hints.
package struct StreamHead: Equatable, Sendable {
    package static let status = 200

    package let contentType: String

    package init(contentType: String) {
        self.contentType = contentType
    }

    /// The header fields of the response to this request.
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
        let base = try signatureBase(respondingTo: request, parameters: parameters.text)
        return [HTTPField("content-type", contentType)]
            + (try SignatureFields(signing: base, with: key)).list
    }

    /// The components of other responses, without the digest.
    func signatureBase(
        respondingTo request: RequestReference,
        parameters: String
    ) throws(SignatureFailure) -> SignatureBase {
        try SignatureBase(
            covering: [
                .init("@status", "\(Self.status)"),
                .init("content-type", contentType),
            ] + request.components,
            parameters: parameters
        )
    }
}
