/// An encrypted message in compact serialization (RFC 7516) that is not decrypted yet.
///
/// Its header chooses nothing. Each way to open it takes one kind of key, and permits one algorithm.
/// The caller lists the permitted ciphers.
package struct JWE: Sendable {
    /// The way to the key of the content.
    package enum Algorithm: String, Sendable {
        case direct = "dir"
        case ecdhES = "ECDH-ES"
        case rsaOAEP256 = "RSA-OAEP-256"
    }

    /// The cipher of the content.
    package enum Encryption: String, Sendable, CaseIterable {
        case a128CBCHS256 = "A128CBC-HS256"
        case a128GCM = "A128GCM"
    }

    /// The values of the header are claims of the sender until the message was opened.
    package let algorithm: Algorithm
    package let encryption: Encryption
    package let keyID: String?
    /// The nonce in GCM mode, the initialisation vector in CBC mode.
    package let nonce: [UInt8]

    let header: Header
    let encryptedKey: [UInt8]
    /// The ciphertext followed by the tag.
    let sealed: [UInt8]
    let tagByteCount: Int
    let parts: CompactParts

    package init(
        reading text: [UInt8],
        maximumByteCount: Int
    ) throws(JOSEFailure) {
        parts = try CompactParts(text, count: 5, maximumByteCount: maximumByteCount)
        header = try Header(parts.decoded(0))
        algorithm = try header.algorithm("alg")
        encryption = try header.algorithm("enc")
        keyID = try header.text("kid")
        encryptedKey = try parts.decoded(1)
        nonce = try parts.decoded(2)
        var sealed: [UInt8] = []
        sealed.reserveCapacity(text.count)
        try parts.decoded(3, appendingTo: &sealed)
        let ciphertextByteCount = sealed.count
        try parts.decoded(4, appendingTo: &sealed)
        tagByteCount = sealed.count - ciphertextByteCount
        self.sealed = sealed
    }
}
