import COpenSSL
import Glibc

/// One public key or key pair of OpenSSL, freed with its last reference.
///
/// `@unchecked`: many threads may use an OpenSSL key that no thread changes.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of a key that OpenSSL created.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}

// MARK: On P-256

extension KeyHandle {
    static func generate() throws(CryptographyFailure) -> KeyHandle {
        try SecureHeap.require()
        // A key with the curve as the template: OpenSSL would prepare the curve from its name again.
        let context = try OpenSSL.check(
            EVP_PKEY_CTX_new_from_pkey(nil, try base.get().pointer, nil),
            "EVP_PKEY_CTX_new_from_pkey"
        )
        defer { EVP_PKEY_CTX_free(context) }
        try OpenSSL.check(EVP_PKEY_keygen_init(context), "EVP_PKEY_keygen_init")
        var key: OpaquePointer?
        try OpenSSL.check(EVP_PKEY_generate(context, &key), "EVP_PKEY_generate")
        return KeyHandle(try OpenSSL.check(key, "EVP_PKEY_generate"))
    }

    /// Imports a public key; OpenSSL rejects a point that is not on the curve.
    ///
    /// The curve's cofactor is 1, so every point on it has the right order.
    ///
    /// The point is set in a copy of another key, because OpenSSL prepares the curve for each
    /// import. That takes four times as long.
    static func importing(point: Span<UInt8>) throws(CryptographyFailure) -> KeyHandle {
        let copy = EVP_PKEY_dup(try base.get().pointer)
        let key = KeyHandle(try OpenSSL.check(copy, "EVP_PKEY_dup"))
        let result = point.withCBytes { start, count in
            EVP_PKEY_set_octet_string_param(key.pointer, "encoded-pub-key", start, count)
        }
        guard result == 1 else {
            OpenSSL.forgetErrors()
            throw .invalidCurveEncoding
        }
        return key
    }

    /// The key whose point is the base point of the curve (SEC 2, section 2.4.2).
    private static let base = Result { () throws(CryptographyFailure) in
        try basePoint.span.withCBytes { start, count throws(CryptographyFailure) in
            try importing(
                [.text("group", "P-256"), .bytes("pub", start, count), .end],
                selection: COUNTERSIGN_PUBLIC_KEY
            )
        }
    }

    private static let basePoint: [UInt8] = [
        0x04,
        0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47,
        0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
        0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0,
        0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
        0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b,
        0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16,
        0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce,
        0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5,
    ]

    /// Imports a matching key pair.
    static func importing(
        point: Span<UInt8>,
        scalar: borrowing SecureBytes
    ) throws(CryptographyFailure) -> KeyHandle {
        // OpenSSL reads numbers in the machine's byte order.
        let number = try scalar.reversed()
        let numberStart = number.address
        return try point.withCBytes { start, count throws(CryptographyFailure) in
            try importing(
                [
                    .text("group", "P-256"), .bytes("pub", start, count),
                    .number("priv", numberStart, P256.coordinateByteCount), .end,
                ],
                selection: COUNTERSIGN_KEY_PAIR
            )
        }
    }

    static func importing(
        _ parameters: [OSSL_PARAM],
        algorithm: StaticString = "EC",
        selection: Int32
    ) throws(CryptographyFailure) -> KeyHandle {
        let context = try makeContext(algorithm)
        defer { EVP_PKEY_CTX_free(context) }
        try OpenSSL.check(EVP_PKEY_fromdata_init(context), "EVP_PKEY_fromdata_init")
        var key: OpaquePointer?
        var parameters = parameters
        try OpenSSL.check(
            EVP_PKEY_fromdata(context, &key, selection, &parameters),
            "EVP_PKEY_fromdata"
        )
        return KeyHandle(try OpenSSL.check(key, "EVP_PKEY_fromdata"))
    }

    private static func makeContext(
        _ algorithm: StaticString = "EC"
    ) throws(CryptographyFailure) -> OpaquePointer {
        try OpenSSL.check(
            EVP_PKEY_CTX_new_from_name(nil, algorithm.description, nil),
            "EVP_PKEY_CTX_new_from_name"
        )
    }
}

extension KeyHandle {
    var isOnP256: Bool {
        var name = [CChar](repeating: 0, count: 32)
        var count = 0
        let result = EVP_PKEY_get_group_name(pointer, &name, name.count, &count)
        return result == 1 && strcmp(name, "prime256v1") == 0
    }

    func publicPoint() throws(CryptographyFailure) -> [UInt8] {
        var point = [UInt8](repeating: 0, count: P256.uncompressedPointByteCount)
        var count = 0
        try OpenSSL.check(
            EVP_PKEY_get_octet_string_param(pointer, "pub", &point, point.count, &count),
            "EVP_PKEY_get_octet_string_param"
        )
        return point
    }

    func scalar() throws(CryptographyFailure) -> SecureBytes {
        // Created here, because OpenSSL would create it outside the secure heap.
        var number: OpaquePointer? = try OpenSSL.check(BN_secure_new(), "BN_secure_new")
        defer { BN_clear_free(number) }
        try OpenSSL.check(
            EVP_PKEY_get_bn_param(pointer, "priv", &number),
            "EVP_PKEY_get_bn_param"
        )
        return try SecureBytes(count: P256.coordinateByteCount) {
            output throws(CryptographyFailure) in
            let length = Int32(P256.coordinateByteCount)
            let written = BN_bn2binpad(number, output, length)
            try OpenSSL.check(written == length, "BN_bn2binpad")
        }
    }

    /// The public point for a private number from 1 to the order minus one.
    static func publicPoint(
        of scalar: borrowing SecureBytes
    ) throws(CryptographyFailure) -> [UInt8] {
        guard scalar.count == P256.coordinateByteCount else { throw .invalidCurveEncoding }
        let group = try OpenSSL.check(
            EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1),
            "EC_GROUP_new_by_curve_name"
        )
        defer { EC_GROUP_free(group) }
        let number = try OpenSSL.check(BN_secure_new(), "BN_secure_new")
        defer { BN_clear_free(number) }
        _ = try OpenSSL.check(
            BN_bin2bn(scalar.address, Int32(scalar.count), number),
            "BN_bin2bn"
        )
        guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0 else {
            throw .invalidCurveEncoding
        }
        let point = try OpenSSL.check(EC_POINT_new(group), "EC_POINT_new")
        defer { EC_POINT_free(point) }
        try OpenSSL.check(EC_POINT_mul(group, point, number, nil, nil, nil), "EC_POINT_mul")
        var encoded = [UInt8](repeating: 0, count: P256.uncompressedPointByteCount)
        let written = EC_POINT_point2oct(
            group,
            point,
            POINT_CONVERSION_UNCOMPRESSED,
            &encoded,
            encoded.count,
            nil
        )
        try OpenSSL.check(written == encoded.count, "EC_POINT_point2oct")
        return encoded
    }
}
