import Cryptography
import OneTimePassword

extension OTPAuthURI {
    /// The URI with all parameters.
    ///
    /// It contains the secret: show it only to its owner, and do not store it.
    public var text: String {
        let prefix = issuer.map { escaped($0) + ":" } ?? ""
        var parameters = [
            "secret=" + secretText, "algorithm=" + algorithm.rawValue,
            "digits=\(digits.rawValue)",
        ]
        if let issuer { parameters.append("issuer=" + escaped(issuer)) }
        switch kind {
        case .hotp(let counter): parameters.append("counter=\(counter)")
        case .totp(let periodSeconds): parameters.append("period=\(periodSeconds)")
        }
        let host = if case .hotp = kind { "hotp" } else { "totp" }
        return "otpauth://\(host)/\(prefix)\(escaped(label))?" + parameters.joined(separator: "&")
    }

    /// Base32 without padding: some readers reject the escaped equals sign.
    private var secretText: String {
        secret.withBytes { TextEncoding.base32.encode($0) }.filter { $0 != "=" }
    }
}
