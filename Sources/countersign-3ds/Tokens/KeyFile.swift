import CommandLineTool
import Cryptography
import JOSE
import StrictJSON

/// A key in a file, of any kind that the commands read.
enum KeyFile {
    case json(JSONValue)
    case rsa(RSA.PrivateKey)
    case p256(P256.PrivateKey)
    case publicKey(Certificate.PublicKey)

    private static let maximumByteCount = 1 << 20

    init(_ path: FilePath) throws(CommandFailure) {
        let bytes = try path.contents(atMost: Self.maximumByteCount)
        guard let key = try Self.read(bytes) else {
            throw Self.refusal(of: bytes, in: path)
        }
        self = key
    }

    private static func refusal(of bytes: [UInt8], in path: FilePath) -> CommandFailure {
        let (problem, hint) =
            switch Encapsulation(of: bytes) {
            case .encrypted:
                ("is encrypted", "decrypt it: openssl pkcs8 -in FILE -out NEW-FILE")
            case .traditional:
                (
                    "is not in PKCS#8",
                    "convert it: openssl pkcs8 -topk8 -nocrypt -in FILE -out NEW-FILE"
                )
            case nil:
                (
                    "is not a key of a known kind",
                    "use a JSON web key, or in PEM: PKCS#8, a public key or a certificate; EC keys "
                        + "of P-256 or RSA keys of 2048 to 4096 bits"
                )
            }
        return CommandFailure(.malformedInput, "\(path.shownName) \(problem)").suggesting(hint)
    }

    /// The forms of private keys in PEM that are not read.
    private enum Encapsulation {
        case encrypted, traditional

        init?(of bytes: [UInt8]) {
            func begins(_ label: String) -> Bool {
                bytes.starts(with: "-----BEGIN \(label)-----".utf8)
            }
            if begins("ENCRYPTED PRIVATE KEY") {
                self = .encrypted
            } else if ["RSA PRIVATE KEY", "EC PRIVATE KEY", "EC PARAMETERS"].contains(where: begins)
            {
                self = .traditional
            } else {
                return nil
            }
        }
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
        if let key = try ifReadable({ () throws(CryptographyFailure) in
            KeyFile.publicKey(try Certificate.PublicKey(pem: bytes.span))
        }) {
            return key
        }
        return try ifReadable { () throws(CryptographyFailure) in
            // Of a chain, the first certificate.
            guard let certificate = try Certificate.all(inPEM: bytes).first else { return nil }
            return .publicKey(try certificate.publicKey())
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
