import COpenSSL

extension RSA {
    /// A modulus of 2048 to 4096 bits, with an odd exponent from 65537 to 2³² − 1.
    package struct PublicKey: Sendable {
        /// Larger keys would only cost time.
        private static let bits = 2048...4096

        let key: KeyHandle
        /// Big-endian, without leading zeros.
        package let modulus: [UInt8]
        /// Big-endian, without leading zeros.
        package let exponent: [UInt8]

        package init(
            modulus: Span<UInt8>,
            exponent: Span<UInt8>
        ) throws(CryptographyFailure) {
            try self.init(modulus: modulus.array, exponent: exponent.array)
        }

        private init(modulus: [UInt8], exponent: [UInt8]) throws(CryptographyFailure) {
            guard
                Self.isOdd(modulus), Self.isOdd(exponent),
                Self.bits.contains(Self.bitCount(modulus)),
                (17...32).contains(Self.bitCount(exponent))
            else { throw .invalidRSAKey }
            key = try .importing(modulus: modulus, exponent: exponent)
            self.modulus = modulus
            self.exponent = exponent
        }

        /// The public key of a certificate.
        init(_ certified: KeyHandle) throws(CryptographyFailure) {
            try self.init(
                modulus: certified.number("n"),
                exponent: certified.number("e")
            )
        }

        private static func isOdd(_ number: [UInt8]) -> Bool {
            number.last.map { $0 % 2 == 1 } ?? false
        }

        /// Zero for a number with a leading zero, which has a shorter spelling.
        private static func bitCount(_ number: [UInt8]) -> Int {
            guard let first = number.first, first > 0 else { return 0 }
            return number.count * 8 - first.leadingZeroBitCount
        }
    }
}

extension KeyHandle {
    fileprivate static func importing(
        modulus: [UInt8],
        exponent: [UInt8]
    ) throws(CryptographyFailure) -> KeyHandle {
        // OpenSSL reads numbers in the machine's byte order.
        let modulus = Array(modulus.reversed())
        let exponent = Array(exponent.reversed())
        return try modulus.span.withCBytes {
            modulusStart,
            modulusCount throws(CryptographyFailure) in
            try exponent.span.withCBytes {
                exponentStart,
                exponentCount throws(CryptographyFailure) in
                try importing(
                    [
                        .number("n", modulusStart, modulusCount),
                        .number("e", exponentStart, exponentCount), .end,
                    ],
                    algorithm: "RSA",
                    selection: COUNTERSIGN_PUBLIC_KEY
                )
            }
        }
    }

    /// A public number of the key, big-endian, without leading zeros.
    fileprivate func number(_ name: String) throws(CryptographyFailure) -> [UInt8] {
        var number: OpaquePointer?
        try OpenSSL.check(EVP_PKEY_get_bn_param(pointer, name, &number), "EVP_PKEY_get_bn_param")
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
        try OpenSSL.check(Int(BN_bn2bin(number, &bytes)) == bytes.count, "BN_bn2bin")
        return bytes
    }
}

extension RSA.PublicKey: Equatable {
    package static func == (left: RSA.PublicKey, right: RSA.PublicKey) -> Bool {
        left.modulus == right.modulus && left.exponent == right.exponent
    }
}
