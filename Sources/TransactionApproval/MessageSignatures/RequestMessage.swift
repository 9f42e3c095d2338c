/// A request of a device.
package struct RequestMessage: Equatable, Sendable {
    package let method: String
    /// The configured public origin, path and query; never from `Host`, and never normalized.
    package let targetURI: String
    package let contentType: String
    package let body: [UInt8]

    package init(method: String, targetURI: String, contentType: String, body: [UInt8]) {
        self.method = method
        self.targetURI = targetURI
        self.contentType = contentType
        self.body = body
    }

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

/// The components of a request that its response must cover.
package struct RequestReference: Equatable, Sendable {
    let components: [SignatureBase.Component]

    /// Covers both signature fields as a whole; there is only one signature.
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
