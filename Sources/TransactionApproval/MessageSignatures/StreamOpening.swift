package import Cryptography

/// The head of an answer that goes on and has no end yet, so that nobody can know its digest.
///
/// Its signature says that this server has begun to answer this request, and nothing of what comes
/// after it: that may be no more than hints.
package struct StreamOpening: Equatable, Sendable {
    package static let status = 200

    package let contentType: String

    package init(contentType: String) {
        self.contentType = contentType
    }

    /// The header fields to send, which make this the server's answer to one request.
    package func signedFields(
        answering request: RequestReference,
        created: Timestamp,
        with key: P256.PrivateKey
    ) throws(SignatureFailure) -> [HTTPField] {
        let keyID = try SignatureFailure.wrapping { () throws(CryptographyFailure) in
            try ServerKeyID(of: key.publicKey)
        }
        let parameters = ServerSignatureParameters(keyID: keyID, created: created)
        let base = try signatureBase(answering: request, parameters: parameters.text)
        return [HTTPField("content-type", contentType)]
            + (try SignatureFields(signing: base, with: key)).list
    }

    /// What the server signs: as of an answer that has an end, but for its digest.
    func signatureBase(
        answering request: RequestReference,
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
