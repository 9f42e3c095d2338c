import Cryptography
import Foundation
import TestSupport

/// Keys and certificates below the CA of a directory, made once by openssl for all tests.
struct DirectoryKeys: Sendable {
    static let shared = Result { try DirectoryKeys() }

    private let folder: TemporaryFolder
    let rsa: RSA.PrivateKey
    let elliptic: P256.PrivateKey
    /// The key of a certificate for TLS.
    let transport: P256.PrivateKey

    private init() throws {
        folder = try TemporaryFolder()
        _ = try Self.output("sh", ["-euc", Self.script, folder.path])
        let pem = try Self.read("rsa.key", in: folder)
        rsa = try RSA.PrivateKey(pem: pem.span)
        elliptic = try Self.scalar("elliptic", in: folder)
        transport = try Self.scalar("transport", in: folder)
    }

    /// OpenSSL prints the number of a key in hexadecimal.
    private static func scalar(
        _ name: String,
        in folder: TemporaryFolder
    ) throws -> P256.PrivateKey {
        let printing = "openssl pkey -in \"$0/\(name).key\" -text | sed -n '/^priv/,/^pub/p'"
        let digits = try output("sh", ["-euc", printing, folder.path])
            .split(separator: "\n").filter { $0.hasPrefix(" ") }.joined()
        let number = try TextEncoding.hexadecimal.decode(digits.filter(\.isHexDigit))
        // There may be a leading zero, or one less.
        let padded = [UInt8](repeating: 0, count: P256.coordinateByteCount) + number
        let scalar = Array(padded.suffix(P256.coordinateByteCount))
        return try P256.PrivateKey(scalar: SecureBytes(copying: scalar.span))
    }

    struct Failed: Error {
        let reason: String
    }

    func certificate(_ name: String) throws -> Certificate {
        guard
            let first = try Certificate.all(inPEM: Self.read("\(name).pem", in: folder)).first
        else { throw Failed(reason: name) }
        return first
    }

    func rsaPublic() throws -> RSA.PublicKey {
        guard case .rsa(let key) = try certificate("rsa").publicKey() else {
            throw Failed(reason: "another kind of key")
        }
        return key
    }

    /// A correct signature by RSASSA-PKCS1-v1_5 with SHA-256, which the protocol does not permit.
    func oldSignature(of message: String) throws -> String {
        let run = try FinishedProcess.run(
            "sh",
            ["-euc", "openssl dgst -sha256 -sign \"$0/rsa.key\" | base64 -w 0", folder.path],
            input: Array(message.utf8)
        )
        let bytes = try TextEncoding.base64.decode(run.output)
        return TextEncoding.base64URL.encode(bytes.span)
    }

    private static func output(_ program: String, _ arguments: [String]) throws -> String {
        let run = try FinishedProcess.run(program, arguments)
        guard run.exitCode == 0 else { throw Failed(reason: run.errorOutput) }
        return run.output
    }

    private static func read(_ name: String, in folder: TemporaryFolder) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)")))
    }

    private static let script = """
        cd "$0"
        umask 077

        key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:$2 -out "$1.key"; }
        root() {
            key "$1" P-256
            openssl req -x509 -key "$1.key" -subj "/CN=$1" -days 90 -out "$1.pem"
        }
        issue() {
            openssl req -new -key "$1.key" -subj "/CN=$1" -out request
            openssl x509 -req -in request -CA directory.pem -CAkey directory.key \\
                -CAcreateserial -days 60 -extfile extensions -out "$1.pem"
        }

        root directory
        root otherDirectory

        printf 'basicConstraints=CA:FALSE\\nkeyUsage=digitalSignature' > extensions
        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key

        key elliptic P-256
        key p384 P-384
        issue rsa
        issue elliptic
        issue p384

        printf 'basicConstraints=CA:FALSE\\nkeyUsage=digitalSignature\\n' > extensions
        printf 'extendedKeyUsage=clientAuth,serverAuth' >> extensions
        key transport P-256
        issue transport
        """
}
