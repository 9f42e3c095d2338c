package import Cryptography

/// A well-formed request, before its key is known; the device id selects the key.
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
        /// The signature is valid but not current; the signed response contains the time.
        case clockSkew(RequestReference)
        case forged
    }

    package static let maximumClockSkew = Duration.seconds(120)

    package func verdict(
        for key: P256.PublicKey,
        at now: Timestamp
    ) throws(CryptographyFailure) -> Verdict {
        guard try key.isValid(signature, for: base.bytes.span) else { return .forged }
        let (created, skew) = (parameters.created, Self.maximumClockSkew)
        guard (created - skew...created + skew).contains(now) else { return .clockSkew(reference) }
        return .authentic(AuthenticRequest(message, parameters, reference))
    }
}

/// A request with a valid and current signature; only `UnverifiedRequest` creates it.
///
/// The same request can arrive twice, even with another signature. Its nonce identifies it.
package struct AuthenticRequest: Equatable, Sendable {
    package let message: RequestMessage
    package let parameters: DeviceSignatureParameters
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
