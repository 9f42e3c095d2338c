import Cryptography
import OneTimePassword

/// Encrypts the secrets of a document during writing, each with a MAC.
struct Sealing {
    typealias Failure = PSKCDocument.WritingFailure

    private let encryption: ValueEncryption
    private let macAlgorithm: HMACAlgorithm
    private let keyName: String?
    private let derivation: KeyDerivation?
    private let encryptedMACKey: [UInt8]
    private let cipher: ValueCipher

    /// Returns nil if nothing is encrypted.
    init?(
        _ protection: PSKCDocument.Protection,
        _ macAlgorithm: HMACAlgorithm
    ) throws(Failure) {
        let encryptionKey: EncryptionKey
        switch protection {
        case .nothing: return nil
        case .preSharedKey(let key, let name):
            encryptionKey = .preShared(key)
            keyName = name
            derivation = nil
        case .password(let password, let iterations):
            let derivation = try KeyDerivation(iterations: iterations)
            encryptionKey = .derived(derivation, password: password)
            keyName = nil
            self.derivation = derivation
        }
        guard let encryption = ValueEncryption(keyByteCount: encryptionKey.byteCount) else {
            throw .wrongKeyLength
        }
        self.encryption = encryption
        self.macAlgorithm = macAlgorithm
        do throws(CryptographyFailure) {
            let key = try encryptionKey.bytes()
            let macKey = try SecureBytes.random(count: macAlgorithm.hash.byteCount)
            let vector = try randomBytes(count: AESCBC.blockByteCount)
            encryptedMACKey = try macKey.withBytes { macKey throws(CryptographyFailure) in
                try key.encryptCBC(macKey, initialisationVector: vector)
            }
            cipher = try ValueCipher(key: key, macKey: macKey, macAlgorithm)
        } catch {
            throw .system(SystemFailure(error))
        }
    }
}

// MARK: Writing

extension Sealing {
    /// Writes which key the reader needs, and how the MACs are computed.
    func write(to xml: inout XMLWriter) throws(Failure) {
        try xml.start("pskc:EncryptionKey")
        try xml.leaf("ds:KeyName", keyName)
        try derivation?.write(to: &xml)
        xml.end()
        try xml.start("pskc:MACMethod", ["Algorithm": macAlgorithm.hmacURI])
        try xml.start("pskc:MACKey")
        try write(encrypted: encryptedMACKey, to: &xml)
        xml.end()
        xml.end()
    }

    func write(_ secret: SecretBytes, to xml: inout XMLWriter) throws(Failure) {
        let (encrypted, mac) = try seal(secret)
        try xml.start("pskc:EncryptedValue")
        try write(encrypted: encrypted, to: &xml)
        xml.end()
        try xml.leaf("pskc:ValueMAC", TextEncoding.base64.encode(mac.span))
    }

    private func seal(
        _ secret: SecretBytes
    ) throws(Failure) -> (encrypted: [UInt8], mac: [UInt8]) {
        do throws(CryptographyFailure) {
            let vector = try randomBytes(count: AESCBC.blockByteCount)
            return try secret.withBytes { secret throws(CryptographyFailure) in
                try cipher.seal(secret, initialisationVector: vector)
            }
        } catch {
            throw .system(SystemFailure(error))
        }
    }

    private func write(encrypted: [UInt8], to xml: inout XMLWriter) throws(Failure) {
        try xml.empty("xenc:EncryptionMethod", ["Algorithm": encryption.rawValue])
        try xml.start("xenc:CipherData")
        try xml.leaf("xenc:CipherValue", TextEncoding.base64.encode(encrypted.span))
        xml.end()
    }
}

extension KeyDerivation {
    fileprivate init(iterations: Int) throws(PSKCDocument.WritingFailure) {
        guard Self.iterations.contains(iterations) else { throw .iterationsOutOfRange }
        salt = try translatingSystemFailure(
            randomBytes(count: 16),
            to: PSKCDocument.WritingFailure.system
        )
        self.iterations = iterations
        keyByteCount = ValueEncryption.aes256CBC.keyByteCount
        algorithm = .sha256
    }

    /// Writes the parameters without a namespace, like the schema of PKCS #5 and RFC 6030.
    fileprivate func write(to xml: inout XMLWriter) throws(PSKCDocument.WritingFailure) {
        try xml.start("xenc11:DerivedKey")
        try xml.start("xenc11:KeyDerivationMethod", ["Algorithm": Self.uris[0]])
        try xml.start("pkcs5:PBKDF2-params")
        try xml.start("Salt")
        try xml.leaf("Specified", TextEncoding.base64.encode(salt.span))
        xml.end()
        try xml.leaf("IterationCount", String(iterations))
        try xml.leaf("KeyLength", String(keyByteCount))
        try xml.empty("PRF", ["Algorithm": algorithm.hmacURI])
        xml.end()
        xml.end()
        xml.end()
    }
}
