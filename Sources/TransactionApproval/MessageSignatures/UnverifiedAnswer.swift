package import Cryptography

/// Whatever came back for a request, from a server or from somebody in between.
package struct UnverifiedAnswer: Sendable {
    private let status: Int
    private let fields: [HTTPField]
    private let body: [UInt8]

    package init(status: Int, fields: [HTTPField], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The answer that one of these keys gave to this request.
    ///
    /// Nil says that the result is unknown, and no more: a proxy's page and an attack look alike. It
    /// is no verdict, and no reason to delete anything.
    package func authentic(
        to request: RequestReference,
        from keys: ServerKeys
    ) throws(CryptographyFailure) -> AuthenticAnswer? {
        do throws(SignatureFailure) {
            return try verified(to: request, from: keys)
        } catch .machine(let failure) {
            throw failure
        } catch {
            return nil
        }
    }

    private func verified(
        to request: RequestReference,
        from keys: ServerKeys
    ) throws(SignatureFailure) -> AuthenticAnswer? {
        let fields = try SignedFields(fields, of: body)
        guard
            let parameters = ServerSignatureParameters(foundIn: fields.signatureInput),
            let key = keys[parameters.keyID]
        else { return nil }
        let message = AnswerMessage(status: status, contentType: fields.contentType, body: body)
        let base = try message.signatureBase(
            contentDigest: fields.contentDigest,
            answering: request,
            parameters: parameters
        )
        let signature = try fields.signature(over: base)
        let text = Array(base.text.utf8)
        let isAuthentic = try SignatureFailure.wrapping { () throws(CryptographyFailure) in
            try key.isValid(signature, for: text.span)
        }
        guard isAuthentic else { return nil }
        return AuthenticAnswer(message, created: parameters.created, signer: key)
    }
}

/// A trusted server's answer to the request it was checked for: only `UnverifiedAnswer` makes one.
package struct AuthenticAnswer: Equatable, Sendable {
    package let message: AnswerMessage
    /// The server's clock, to the second.
    package let created: Timestamp
    /// The present key or, once the server has changed over to it, the next.
    package let signer: P256.PublicKey

    fileprivate init(_ message: AnswerMessage, created: Timestamp, signer: P256.PublicKey) {
        self.message = message
        self.created = created
        self.signer = signer
    }
}
