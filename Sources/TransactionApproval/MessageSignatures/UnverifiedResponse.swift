package import Cryptography

/// A response from any sender.
package struct UnverifiedResponse: Sendable {
    private let status: Int
    private let fields: [HTTPField]
    private let body: [UInt8]

    package init(status: Int, fields: [HTTPField], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Not covered by the signature.
    package var announcedKeys: AnnouncedKeys? { AnnouncedKeys(in: fields) }

    /// Whether it has no signature, and a status of a server that is out.
    ///
    /// The verifier cannot sign while its store is unavailable, and proxies never sign.
    package var isUnsignedOutage: Bool { status >= 500 && !fields.contains("signature") }

    /// The response, if one of these keys signed it for this request.
    ///
    /// Nil means that the result is unknown: a proxy's page and an attack look alike. It is not a
    /// verdict, and not a reason to delete anything.
    package func authentic(
        to request: RequestReference,
        from keys: ServerKeys
    ) throws(SystemFailure) -> AuthenticResponse? {
        do throws(SignatureFailure) {
            return try verified(to: request, from: keys)
        } catch .system(let failure) {
            throw failure
        } catch {
            return nil
        }
    }

    /// The key that opened a stream for this request; nil if none of these keys did.
    package func signer(
        of opening: StreamHead,
        to request: RequestReference,
        from keys: ServerKeys
    ) throws(SystemFailure) -> P256.PublicKey? {
        do throws(SignatureFailure) {
            guard
                status == StreamHead.status,
                try fields.value(of: "content-type") == opening.contentType
            else { return nil }
            return try signed(SignatureFields(fields), by: keys) {
                parameters throws(SignatureFailure) in
                try opening.signatureBase(respondingTo: request, parameters: parameters)
            }?.signer
        } catch .system(let failure) {
            throw failure
        } catch {
            return nil
        }
    }

    private func verified(
        to request: RequestReference,
        from keys: ServerKeys
    ) throws(SignatureFailure) -> AuthenticResponse? {
        let fields = try SignedFields(fields, of: body)
        let message = ResponseMessage(status: status, contentType: fields.contentType, body: body)
        let found = try signed(fields.signature, by: keys) { parameters throws(SignatureFailure) in
            try message.signatureBase(
                contentDigest: fields.contentDigest,
                respondingTo: request,
                parameters: parameters
            )
        }
        return found.map { AuthenticResponse(message, created: $0.created, signer: $0.signer) }
    }

    /// The key and time of the signature; nil if none of the keys signed it.
    private func signed(
        _ signature: SignatureFields,
        by keys: ServerKeys,
        base: (_ parameters: String) throws(SignatureFailure) -> SignatureBase
    ) throws(SignatureFailure) -> (signer: P256.PublicKey, created: Timestamp)? {
        guard
            let parameters = ServerSignatureParameters(signature.parameters),
            let key = keys[parameters.keyID]
        else { return nil }
        let base = try base(signature.parameters.text)
        let signature = try signature.over(base)
        let isAuthentic = try translatingSystemFailure(
            key.isValid(signature, for: base.bytes.span),
            to: SignatureFailure.system
        )
        return isAuthentic ? (key, parameters.created) : nil
    }
}

/// A verified response to one request; only `UnverifiedResponse` creates it.
package struct AuthenticResponse: Equatable, Sendable {
    package let message: ResponseMessage
    /// The verifier's clock, in whole seconds.
    package let created: Timestamp
    /// The current key or, after a rotation, the next one.
    package let signer: P256.PublicKey

    fileprivate init(_ message: ResponseMessage, created: Timestamp, signer: P256.PublicKey) {
        self.message = message
        self.created = created
        self.signer = signer
    }
}
