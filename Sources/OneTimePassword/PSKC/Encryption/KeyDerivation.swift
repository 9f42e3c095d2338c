import Cryptography

/// How a key comes from a password: PBKDF2 (RFC 6030, section 6.2).
struct KeyDerivation {
    typealias Failure = PSKCDocument.ReadingFailure

    /// A document may not keep the machine busy for longer than a second or two.
    static let iterations = 1...2_000_000

    let salt: [UInt8]
    let iterations: Int
    let keyByteCount: Int
    let algorithm: HMACAlgorithm

    func key(from password: SecretBytes) throws(CryptographyFailure) -> SecureBytes {
        try password.withSecureBytes { password throws(CryptographyFailure) in
            try PBKDF2.deriveKey(
                algorithm.hash,
                from: password,
                salt: salt.span,
                iterations: iterations,
                byteCount: keyByteCount
            )
        }
    }
}

extension KeyDerivation {
    /// In use is the first; the text of RFC 6030 has the second, XML Encryption 1.1 the third.
    static let uris = [
        "http://www.rsasecurity.com/rsalabs/pkcs/schemas/pkcs-5v2-0#pbkdf2",
        "http://www.rsasecurity.com/rsalabs/pkcs/schemas/pkcs-5#pbkdf2",
        "http://www.w3.org/2009/xmlenc11#pbkdf2",
    ]

    init(reading derivedKey: XMLElement) throws(Failure) {
        let method = try derivedKey.requiredChild("KeyDerivationMethod", in: [.encryption11])
        let uri = try method.requiredAttribute("Algorithm")
        guard Self.uris.contains(uri) else { throw .unsupportedAlgorithm(uri, line: method.line) }
        let parameters = try method.parameter("PBKDF2-params")
        salt = try parameters.parameter("Salt").parameter("Specified").base64()
        let count = try parameters.parameter("IterationCount").number()
        guard let iterations = Int(exactly: count), Self.iterations.contains(iterations) else {
            throw .iterationsOutOfRange
        }
        self.iterations = iterations
        let length = try parameters.parameter("KeyLength")
        let encryption = ValueEncryption(keyByteCount: Int(clamping: try length.number()))
        guard let encryption else { throw length.malformed }
        keyByteCount = encryption.keyByteCount
        // RFC 8018, appendix A.2: HMAC-SHA1 unless the document names another.
        let function = try parameters.child("PRF", in: XMLElement.parameterNamespaces)
        algorithm =
            if let function, !function.attributes.isEmpty { try function.hmac() } else { .sha1 }
    }
}

extension XMLElement {
    /// Documents put the parameters into any of these.
    fileprivate static let parameterNamespaces: Set<Namespace> = [
        .pkcs5, .encryption11, .pskc, .none,
    ]

    fileprivate func parameter(_ name: String) throws(Failure) -> XMLElement {
        try requiredChild(name, in: Self.parameterNamespaces)
    }
}
