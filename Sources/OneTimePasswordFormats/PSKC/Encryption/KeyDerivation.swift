import Cryptography
import OneTimePassword

/// The derivation of a key from a password: PBKDF2 (RFC 6030, section 6.2).
struct KeyDerivation {
    typealias Failure = PSKCDocument.ReadingFailure

    /// Limits the time that a document can cost to one or two seconds.
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
    /// Software uses the first URI; RFC 6030 prints the second, XML Encryption 1.1 the third.
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
        // RFC 8018, appendix A.2: HMAC-SHA1 is the default.
        let function = try parameters.child("PRF", in: XMLElement.parameterNamespaces)
        algorithm =
            if let function, !function.attributes.isEmpty { try function.hmac() } else { .sha1 }
    }
}

extension XMLElement {
    /// Documents use any of these namespaces for the parameters.
    fileprivate static let parameterNamespaces: Set<Namespace> = [
        .pkcs5, .encryption11, .pskc, .none,
    ]

    fileprivate func parameter(_ name: String) throws(Failure) -> XMLElement {
        try requiredChild(name, in: Self.parameterNamespaces)
    }
}
