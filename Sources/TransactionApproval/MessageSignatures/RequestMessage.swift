/// What a device asks of a server.
package struct RequestMessage: Equatable, Sendable {
    package let method: String
    /// The public origin that both sides are configured with, then path and query as they go over
    /// the network: never a `Host` field, and nothing normalised.
    package let targetURI: String
    package let contentType: String
    package let body: [UInt8]

    package init(method: String, targetURI: String, contentType: String, body: [UInt8]) {
        self.method = method
        self.targetURI = targetURI
        self.contentType = contentType
        self.body = body
    }

    /// What the device signs: exactly this, in this order.
    func signatureBase(
        contentDigest: String,
        parameters: String
    ) throws(SignatureFailure) -> SignatureBase {
        try SignatureBase(
            covering: [
                .init("@method", method),
                .init("@target-uri", targetURI),
                .init("content-digest", contentDigest),
                .init("content-type", contentType),
            ],
            parameters: parameters
        )
    }
}

/// One signed request, as its answer refers to it: an answer to another one refers to another.
package struct RequestReference: Equatable, Sendable {
    let components: [SignatureBase.Component]

    /// Covers both signature fields whole, without a `;key` that picks a member: there is only one.
    init(_ message: RequestMessage, _ fields: SignedFields) {
        components = [
            .init("@method", message.method, ofRequest: true),
            .init("@target-uri", message.targetURI, ofRequest: true),
            .init("content-digest", fields.contentDigest, ofRequest: true),
            .init("signature-input", fields.signature.input, ofRequest: true),
            .init("signature", fields.signature.value, ofRequest: true),
        ]
    }
}
