import Cryptography
import TransactionApproval

/// A message that only one browser can read (RFC 8291), as the body of a push request.
struct WebPushMessage {
    static let coding = "aes128gcm"

    let body: [UInt8]

    /// The one record contains the whole message, and all push services take bodies of this size.
    private static let recordByteCount: UInt32 = 4096
    private static let saltByteCount = 16
    /// The end of the last record (RFC 8188, section 2).
    private static let lastRecordEnd: UInt8 = 2

    init(
        _ content: [UInt8],
        for subscription: WebPushSubscription
    ) throws(CryptographyFailure) {
        try self.init(
            content,
            for: subscription,
            key: P256.PrivateKey(),
            salt: randomBytes(count: Self.saltByteCount)
        )
    }

    /// `key` and `salt` are for one message only.
    init(
        _ content: [UInt8],
        for subscription: WebPushSubscription,
        key: P256.PrivateKey,
        salt: [UInt8]
    ) throws(CryptographyFailure) {
        let point = key.publicKey.uncompressedPoint
        let start = Array("WebPush: info\0".utf8)
        let info = start + subscription.key.uncompressedPoint + point
        let input = try HKDF.derive(
            from: try key.sharedSecret(with: subscription.key),
            salt: subscription.secret.span,
            info: info.span,
            byteCount: HashAlgorithm.sha256.byteCount
        )
        let keyInfo = Array("Content-Encoding: aes128gcm\0".utf8)
        let nonceInfo = Array("Content-Encoding: nonce\0".utf8)
        let messageKey = try HKDF.derive(
            from: input,
            salt: salt.span,
            info: keyInfo.span,
            byteCount: 16
        )
        let nonce = try HKDF.derive(
            from: input,
            salt: salt.span,
            info: nonceInfo.span,
            byteCount: AESGCM.nonceByteCount
        )
        let record = content + [Self.lastRecordEnd]
        let sealed = try nonce.withBytes { nonce throws(CryptographyFailure) in
            try AESGCM.seal(record.span, keyOf128Bits: messageKey, nonce: nonce)
        }
        var writer = FieldWriter()
        writer.append(Self.recordByteCount)
        body = salt + writer.bytes + [UInt8(point.count)] + point + sealed
    }
}
