import Cryptography

@testable import OneTimePassword
@testable import OneTimePasswordFormats

/// The parts of an encrypted document, which tests combine correctly or incorrectly.
struct EncryptedSample {
    // Key, MAC key and vectors of RFC 6030, figure 6.
    static let key: [UInt8] = [
        0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0x34, 0x56, 0x78, 0x90,
        0x12,
    ]
    static let macKey: [UInt8] = [
        0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55,
        0x66, 0x77, 0x88, 0x99, 0x00,
    ]
    static let secret = Array("12345678901234567890".utf8)

    var encryptionKey = "<ds:KeyName>Pre-shared-key</ds:KeyName>"
    var encryption = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    var macAlgorithm = "http://www.w3.org/2000/09/xmldsig#hmac-sha1"
    var macKeyElement = "MACKey"
    var encryptedMACKey: [UInt8]?
    var encryptedSecret: [UInt8]
    var mac: [UInt8]?
    /// The elements next to the secret.
    var moreData = ""

    init(
        key: [UInt8] = key,
        macKey: [UInt8] = macKey,
        secret: [UInt8] = secret
    ) throws(CryptographyFailure) {
        let key = try SecureBytes(key)
        let vector = [UInt8](0..<16)
        encryptedMACKey = try key.encryptCBC(macKey.span, initialisationVector: vector)
        let hmac = try HMAC(.sha1, key: try SecureBytes(macKey))
        encryptedSecret = try key.encryptCBC(secret.span, initialisationVector: vector)
        mac = try hmac.authenticate(encryptedSecret.span).array
    }

    var text: String {
        """
        <KeyContainer Version="1.0" xmlns="urn:ietf:params:xml:ns:keyprov:pskc"
        xmlns:ds="http://www.w3.org/2000/09/xmldsig#"
        xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"
        xmlns:xenc11="http://www.w3.org/2009/xmlenc11#">
        <EncryptionKey>\(encryptionKey)</EncryptionKey>
        \(macMethod)
        <KeyPackage><Key><Data>
        <Secret>\(value(encryptedSecret, mac))</Secret>
        \(moreData)
        </Data></Key></KeyPackage>
        </KeyContainer>
        """
    }

    /// An encrypted value and its MAC.
    func value(_ encrypted: [UInt8], _ mac: [UInt8]?) -> String {
        let mac = mac.map { "<ValueMAC>\(base64($0))</ValueMAC>" } ?? ""
        return "<EncryptedValue>\(data(encrypted))</EncryptedValue>\(mac)"
    }

    private var macMethod: String {
        guard let encryptedMACKey else { return "" }
        let name = macKeyElement
        return """
            <MACMethod Algorithm="\(macAlgorithm)"><\(name)>\(data(encryptedMACKey))</\(name)></MACMethod>
            """
    }

    private func data(_ encrypted: [UInt8]) -> String {
        """
        <xenc:EncryptionMethod Algorithm="\(encryption)"/>\
        <xenc:CipherData><xenc:CipherValue>\(base64(encrypted))</xenc:CipherValue></xenc:CipherData>
        """
    }

    private func base64(_ bytes: [UInt8]) -> String { TextEncoding.base64.encode(bytes.span) }
}

extension SecureBytes {
    init(_ bytes: [UInt8]) throws(CryptographyFailure) {
        try self.init(copying: bytes.span)
    }
}
