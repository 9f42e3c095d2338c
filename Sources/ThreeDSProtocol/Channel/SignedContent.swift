package import Cryptography
package import JOSE
import StrictJSON

/// The element `acsSignedContent`: the ACS's key and address for one SDK.
///
/// A value exists only after its signature was verified, or at the ACS itself.
package struct SignedContent: Sendable {
    package let acsKey: P256.PublicKey
    package let sdkKey: P256.PublicKey
    /// The address for CReqs, with the scheme `https` outside of a sandbox.
    package let acsURL: String

    package static let maximumByteCount = 16_000

    /// Nil if the address is not one of `https`; a sandbox, which is on one machine, also has `http`.
    package init?(
        acsKey: P256.PublicKey,
        sdkKey: P256.PublicKey,
        acsURL: String,
        isSandbox: Bool = false
    ) {
        let schemes: Set = isSandbox ? ["https", "http"] : ["https"]
        guard acsURL.utf8.count <= 2048, isURL(acsURL, schemes: schemes) else { return nil }
        (self.acsKey, self.sdkKey, self.acsURL) = (acsKey, sdkKey, acsURL)
    }

    /// Signs the content at the ACS.
    package func signed(by signer: JWS.Signer) throws(ChannelFailure) -> String {
        let value = JSONValue.object([
            .init(name: "acsEphemPubKey", value: acsKey.jwk),
            .init(name: "sdkEphemPubKey", value: sdkKey.jwk),
            .init(name: "acsURL", value: .string(acsURL)),
        ])
        let payload: [UInt8]
        do throws(StrictJSON.Unwritable) {
            payload = try value.written()
        } catch {
            throw .refused
        }
        let text = try signer.signed(payload.span)
        guard text.utf8.count <= Self.maximumByteCount else { throw .refused }
        return text
    }

    /// Verifies and reads the content at the SDK.
    ///
    /// `anchor` is the CA certificate of the card's own directory: those of other directories may
    /// not sign. The content must be for `sdkKey`, the SDK's key of this transaction.
    package init(
        verifying text: [UInt8],
        below anchor: Certificate,
        at seconds: Int64,
        for sdkKey: P256.PublicKey
    ) throws(ChannelFailure) {
        let token = try JWS(reading: text, maximumByteCount: Self.maximumByteCount)
        let payload = try token.payload(
            verifiedBelow: anchor,
            at: seconds,
            permitting: [.ps256, .es256]
        )
        try self.init(payload: payload, for: sdkKey)
    }

    init(
        payload: [UInt8],
        for sdkKey: P256.PublicKey
    ) throws(ChannelFailure) {
        // The text is signed, and a malformed one is refused like a forged one.
        guard let value = try? JSONValue(reading: payload, limits: .message),
            let acsKey = value["acsEphemPubKey"], let ownKey = value["sdkEphemPubKey"],
            let url = value["acsURL"]?.text
        else { throw .refused }
        let use = JWKUse.encryption(.ecdhES)
        let content = SignedContent(
            acsKey: try P256.PublicKey(jwk: acsKey, for: use),
            sdkKey: try P256.PublicKey(jwk: ownKey, for: use),
            acsURL: url
        )
        guard let content, content.sdkKey == sdkKey else { throw .refused }
        self = content
    }
}
