package import Cryptography

/// A request in the one form that is taken, from nobody yet: its key is found by its device id.
package struct UnverifiedRequest: Sendable {
    package let parameters: DeviceSignatureParameters
    private let message: RequestMessage
    private let reference: RequestReference
    private let base: SignatureBase
    private let signature: P256.Signature

    package init(
        method: String,
        targetURI: String,
        fields: [HTTPField],
        body: [UInt8]
    ) throws(SignatureFailure) {
        let fields = try SignedFields(fields, of: body)
        guard let parameters = DeviceSignatureParameters(fields.signature.parameters) else {
            throw .malformed("signature-input")
        }
        message = RequestMessage(
            method: method,
            targetURI: targetURI,
            contentType: fields.contentType,
            body: body
        )
        base = try message.signatureBase(
            contentDigest: fields.contentDigest,
            parameters: fields.signature.parameters.text
        )
        signature = try fields.signature.over(base)
        reference = RequestReference(message, fields)
        self.parameters = parameters
    }
}

extension UnverifiedRequest {
    package enum Verdict: Equatable, Sendable {
        case authentic(AuthenticRequest)
        /// Signed by this key, but not about now: to be told in a signed answer, and nothing more.
        case clockSkew(RequestReference)
        case forged
    }

    /// How far the clocks of a device and its server may be apart.
    package static let maximumClockSkew = Duration.seconds(120)

    package func verdict(
        for key: P256.PublicKey,
        at now: Timestamp
    ) throws(CryptographyFailure) -> Verdict {
        let text = Array(base.text.utf8)
        guard try key.isValid(signature, for: text.span) else { return .forged }
        let (created, skew) = (parameters.created, Self.maximumClockSkew)
        guard (created - skew...created + skew).contains(now) else { return .clockSkew(reference) }
        return .authentic(AuthenticRequest(message, parameters, reference))
    }
}

/// A request that the holder of a key signed, about now: only `UnverifiedRequest` makes one.
///
/// It can come a second time, with another signature too. Its nonce is what tells.
package struct AuthenticRequest: Equatable, Sendable {
    package let message: RequestMessage
    package let parameters: DeviceSignatureParameters
    /// What the answer refers to.
    package let reference: RequestReference

    fileprivate init(
        _ message: RequestMessage,
        _ parameters: DeviceSignatureParameters,
        _ reference: RequestReference
    ) {
        self.message = message
        self.parameters = parameters
        self.reference = reference
    }
}
