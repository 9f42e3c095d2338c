import OneTimePassword

/// The supported algorithms for encrypted values; all others are rejected by name.
enum ValueEncryption: String, CaseIterable {
    case aes128CBC = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    case aes192CBC = "http://www.w3.org/2001/04/xmlenc#aes192-cbc"
    case aes256CBC = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"

    init?(keyByteCount: Int) {
        let fitting = Self.allCases.first { $0.keyByteCount == keyByteCount }
        guard let fitting else { return nil }
        self = fitting
    }

    var keyByteCount: Int {
        switch self {
        case .aes128CBC: 16
        case .aes192CBC: 24
        case .aes256CBC: 32
        }
    }
}

extension HMACAlgorithm {
    /// The name of its HMAC in XML Signature.
    var hmacURI: String {
        switch self {
        case .sha1: "http://www.w3.org/2000/09/xmldsig#hmac-sha1"
        case .sha256: "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256"
        case .sha512: "http://www.w3.org/2001/04/xmldsig-more#hmac-sha512"
        }
    }
}

extension XMLElement {
    /// The algorithm in the element.
    func valueEncryption() throws(Failure) -> ValueEncryption {
        let uri = try requiredAttribute("Algorithm")
        guard let encryption = ValueEncryption(rawValue: uri) else {
            throw .unsupportedAlgorithm(uri, line: line)
        }
        return encryption
    }

    func hmac() throws(Failure) -> HMACAlgorithm {
        let uri = try requiredAttribute("Algorithm")
        guard let algorithm = HMACAlgorithm.allCases.first(where: { $0.hmacURI == uri }) else {
            throw .unsupportedAlgorithm(uri, line: line)
        }
        return algorithm
    }
}
