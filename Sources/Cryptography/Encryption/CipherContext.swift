import COpenSSL

/// One encryption or decryption by OpenSSL.
struct CipherContext: ~Copyable {
    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    private let context: OpaquePointer

    init(
        _ direction: Direction,
        _ cipher: Cipher,
        key: Span<UInt8>,
        nonce: Span<UInt8>
    ) throws(CryptographyFailure) {
        guard key.count == cipher.keyByteCount, nonce.count == cipher.nonceByteCount else {
            throw .invalidArgument
        }
        let algorithm = try cipher.algorithm.get()
        let context = try OpenSSL.check(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
        do throws(CryptographyFailure) {
            try key.withCBytes { keyStart, _ throws(CryptographyFailure) in
                try nonce.withCBytes { nonceStart, _ throws(CryptographyFailure) in
                    try OpenSSL.check(
                        EVP_CipherInit_ex2(
                            context,
                            algorithm,
                            keyStart,
                            nonceStart,
                            direction.rawValue,
                            nil
                        ),
                        "EVP_CipherInit_ex2"
                    )
                }
            }
        } catch {
            EVP_CIPHER_CTX_free(context)
            throw error
        }
        self.context = context
    }

    deinit {
        EVP_CIPHER_CTX_free(context)
    }

    /// Authenticates data that is not encrypted.
    func authenticate(_ associated: Span<UInt8>) throws(CryptographyFailure) {
        try associated.withCBytes { start, count throws(CryptographyFailure) in
            var written: Int32 = 0
            try OpenSSL.check(
                EVP_CipherUpdate(context, nil, &written, start, try OpenSSL.length(count)),
                "EVP_CipherUpdate"
            )
        }
    }

    /// Returns the count of bytes written, which are whole blocks in CBC mode.
    @discardableResult
    func update(
        _ input: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(CryptographyFailure) -> Int {
        try input.withCBytes { start, count throws(CryptographyFailure) in
            var written: Int32 = 0
            try OpenSSL.check(
                EVP_CipherUpdate(context, output, &written, start, try OpenSSL.length(count)),
                "EVP_CipherUpdate"
            )
            return Int(written)
        }
    }

    /// Returns the count of bytes written, which is zero in GCM mode.
    @discardableResult
    func finish(into output: UnsafeMutablePointer<UInt8>) throws(CryptographyFailure) -> Int {
        var written: Int32 = 0
        try OpenSSL.check(EVP_CipherFinal_ex(context, output, &written), "EVP_CipherFinal_ex")
        return Int(written)
    }

    func readTag(into output: UnsafeMutablePointer<UInt8>) throws(CryptographyFailure) {
        try OpenSSL.check(
            EVP_CIPHER_CTX_ctrl(
                context,
                EVP_CTRL_AEAD_GET_TAG,
                Int32(AESGCM.tagByteCount),
                output
            ),
            "EVP_CTRL_AEAD_GET_TAG"
        )
    }

    func expectTag(_ tag: Span<UInt8>) throws(CryptographyFailure) {
        try tag.withCBytes { start, count throws(CryptographyFailure) in
            try OpenSSL.check(
                EVP_CIPHER_CTX_ctrl(
                    context,
                    EVP_CTRL_AEAD_SET_TAG,
                    Int32(count),
                    UnsafeMutablePointer(mutating: start)
                ),
                "EVP_CTRL_AEAD_SET_TAG"
            )
        }
    }

    /// Turns OpenSSL's own padding off.
    func keepPadding() throws(CryptographyFailure) {
        try OpenSSL.check(EVP_CIPHER_CTX_set_padding(context, 0), "EVP_CIPHER_CTX_set_padding")
    }
}

enum Cipher {
    case aes128GCM, aes256GCM, aes128CBC, aes192CBC, aes256CBC

    var keyByteCount: Int {
        switch self {
        case .aes128CBC, .aes128GCM: 16
        case .aes192CBC: 24
        case .aes256CBC, .aes256GCM: 32
        }
    }

    var nonceByteCount: Int {
        switch self {
        case .aes128GCM, .aes256GCM: AESGCM.nonceByteCount
        case .aes128CBC, .aes192CBC, .aes256CBC: AESCBC.blockByteCount
        }
    }

    var algorithm: OpenSSL.Fetched {
        switch self {
        case .aes128GCM: Self.fetchedAES128GCM
        case .aes256GCM: Self.fetchedAES256GCM
        case .aes128CBC: Self.fetchedAES128CBC
        case .aes192CBC: Self.fetchedAES192CBC
        case .aes256CBC: Self.fetchedAES256CBC
        }
    }

    // `EVP_aes_128_gcm()` is fetched again at each use, which takes as long as a short message.
    private static let fetchedAES128GCM = fetch("AES-128-GCM")
    private static let fetchedAES256GCM = fetch("AES-256-GCM")
    private static let fetchedAES128CBC = fetch("AES-128-CBC")
    private static let fetchedAES192CBC = fetch("AES-192-CBC")
    private static let fetchedAES256CBC = fetch("AES-256-CBC")

    private static func fetch(_ name: String) -> OpenSSL.Fetched {
        OpenSSL.fetch("EVP_CIPHER_fetch") { EVP_CIPHER_fetch(nil, name, nil) }
    }
}
