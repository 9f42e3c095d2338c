import COpenSSL

extension P256 {
    /// A point on the curve that is not the point at infinity.
    package struct PublicKey: Sendable {
        let key: KeyHandle
        /// The uncompressed point of SEC 1.
        package let uncompressedPoint: [UInt8]

        package init(uncompressedPoint: Span<UInt8>) throws(CryptographyFailure) {
            guard
                uncompressedPoint.count == uncompressedPointByteCount, uncompressedPoint[0] == 4
            else { throw .invalidCurveEncoding }
            key = try .importing(point: uncompressedPoint)
            self.uncompressedPoint = uncompressedPoint.array
        }

        /// Reads the 91-byte X.509 form of a key on this named curve, and no other form.
        package init(subjectPublicKeyInfo: Span<UInt8>) throws(CryptographyFailure) {
            let prefix = Self.subjectPublicKeyInfoPrefix
            guard
                subjectPublicKeyInfo.count == prefix.count + uncompressedPointByteCount,
                subjectPublicKeyInfo.extracting(first: prefix.count).array == prefix
            else { throw .invalidCurveEncoding }
            try self.init(
                uncompressedPoint: subjectPublicKeyInfo.extracting(
                    last: uncompressedPointByteCount
                )
            )
        }

        package var subjectPublicKeyInfo: [UInt8] {
            Self.subjectPublicKeyInfoPrefix + uncompressedPoint
        }

        /// RFC 5480, section 2.1.1: id-ecPublicKey with the named curve, then an unused-bits zero.
        private static let subjectPublicKeyInfoPrefix: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
            0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ]
    }
}

extension P256.PublicKey: Equatable {
    package static func == (left: P256.PublicKey, right: P256.PublicKey) -> Bool {
        left.uncompressedPoint == right.uncompressedPoint
    }
}

extension P256.PublicKey {
    /// Returns whether `signature` is this key's signature of the SHA-256 of `message`.
    package func isValid(
        _ signature: P256.Signature,
        for message: Span<UInt8>
    ) throws(CryptographyFailure) -> Bool {
        let context = try OpenSSL.check(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        defer { EVP_MD_CTX_free(context) }
        try OpenSSL.check(
            EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.pointer),
            "EVP_DigestVerifyInit"
        )
        let encoded = signature.distinguishedEncoding
        let result = message.withCBytes { start, count in
            EVP_DigestVerify(context, encoded, encoded.count, start, count)
        }
        // 0 and −1 both mean "invalid": a number outside the curve's order is also a wrong
        // signature.
        OpenSSL.forgetErrors()
        return result == 1
    }
}
