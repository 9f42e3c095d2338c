import CommandLineTool
import Cryptography
import JOSE
import StrictJSON

/// A key in a file, of any kind that the commands read.
enum KeyFile {
    case json(JSONValue)
    case rsa(RSA.PrivateKey)
    case p256(P256.PrivateKey)
    case certified(Certificate.PublicKey)

    private static let maximumByteCount = 1 << 20

    init(_ path: FilePath) throws(CommandFailure) {
        let bytes = try path.contents(atMost: Self.maximumByteCount)
        guard let key = try Self.read(bytes) else {
            throw CommandFailure(.malformedInput, "\(path.shownName) is not a key of a known kind")
                .suggesting(
                    "use a JSON web key, PKCS#8 in PEM (RSA, P-256) or a certificate in PEM"
                )
        }
        self = key
    }

    /// Nil if it is not a key, or a key of another kind.
    private static func read(_ bytes: [UInt8]) throws(CommandFailure) -> KeyFile? {
        // `try?`: a text that is not JSON can be a key in PEM.
        if let value = try? JSONValue(reading: bytes, limits: .message) {
            return value["kty"] == nil ? nil : .json(value)
        }
        if let key = try ifReadable({ () throws(CryptographyFailure) in
            KeyFile.rsa(try RSA.PrivateKey(pem: bytes.span))
        }) {
            return key
        }
        if let key = try ifReadable({ () throws(CryptographyFailure) in
            KeyFile.p256(try P256.PrivateKey(pem: bytes.span))
        }) {
            return key
        }
        return try ifReadable { () throws(CryptographyFailure) in
            // Of a chain, the first certificate.
            guard let certificate = try Certificate.all(inPEM: bytes).first else { return nil }
            return .certified(try certificate.publicKey())
        }
    }
}

/// Nil if the bytes are not of this kind.
private func ifReadable(
    _ read: () throws(CryptographyFailure) -> KeyFile?
) throws(CommandFailure) -> KeyFile? {
    do throws(CryptographyFailure) {
        return try read()
    } catch {
        if let failure = SystemFailure(cause: error) { throw CommandFailure(failure) }
        return nil
    }
}
