import CommandLineTool
import Cryptography
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
            throw CommandFailure(.malformedInput, "\(path.shownName) is not a key")
                .suggesting("countersign-3ds --help lists the formats of keys")
        }
        self = key
    }

    /// Nil if it is not a key, or a key of another kind.
    private static func read(_ bytes: [UInt8]) throws(CommandFailure) -> KeyFile? {
        if let value = try? JSONValue(reading: bytes, limits: .message) { return .json(value) }
        let rsa = try ifReadable { () throws(CryptographyFailure) in
            .rsa(try RSA.PrivateKey(pem: bytes.span))
        }
        let p256 = try ifReadable { () throws(CryptographyFailure) in
            .p256(try P256.PrivateKey(pem: bytes.span))
        }
        let certified = try ifReadable { () throws(CryptographyFailure) in
            guard let certificate = try Certificate.all(inPEM: bytes).first else { return nil }
            return .certified(try certificate.publicKey())
        }
        return rsa ?? p256 ?? certified
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
