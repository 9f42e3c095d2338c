import Cryptography
import Foundation
import JOSE
import StrictJSON
import TestSupport

/// Keys and certificates that openssl made once for all tests.
struct TokenKeys: Sendable {
    static let shared = Result { try TokenKeys() }

    let folder: TemporaryFolder
    let rsa: RSA.PrivateKey
    let rsaPublic: RSA.PublicKey
    let elliptic: P256.PrivateKey
    let other: P256.PrivateKey

    private init() throws {
        folder = try TemporaryFolder()
        let made = try FinishedProcess.run("sh", ["-euc", Self.script, folder.path])
        guard made.exitCode == 0 else { throw Unmade(output: made.errorOutput) }
        let pem = try Self.read("rsa.key", in: folder)
        rsa = try RSA.PrivateKey(pem: pem.span)
        guard case .rsa(let key) = try Self.certificate("rsa", in: folder).publicKey() else {
            throw Unmade(output: "another kind of key")
        }
        rsaPublic = key
        elliptic = try Self.scalar("elliptic", in: folder)
        other = try P256.PrivateKey()
    }

    struct Unmade: Error {
        let output: String
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Self.read(name, in: folder), as: UTF8.self)
    }

    func certificate(_ name: String) throws -> Certificate {
        try Self.certificate(name, in: folder)
    }

    /// The key of any certificate on P-256.
    func privateKey(_ name: String) throws -> P256.PrivateKey {
        try Self.scalar(name, in: folder)
    }

    private static func read(_ name: String, in folder: TemporaryFolder) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)")))
    }

    private static func certificate(
        _ name: String,
        in folder: TemporaryFolder
    ) throws -> Certificate {
        guard let first = try Certificate.all(inPEM: read("\(name).pem", in: folder)).first else {
            throw Unmade(output: name)
        }
        return first
    }

    private static func scalar(
        _ name: String,
        in folder: TemporaryFolder
    ) throws -> P256.PrivateKey {
        let command = "openssl pkey -in \(name).key -text -noout | sed -n '/^priv/,/^pub/p'"
        let run = try FinishedProcess.run("sh", ["-euc", "cd \"$0\"; \(command)", folder.path])
        let digits = run.output.split(separator: "\n").filter { $0.hasPrefix(" ") }.joined()
        let bytes = try TextEncoding.hexadecimal.decode(digits.filter(\.isHexDigit))
        let number = [UInt8](repeating: 0, count: 32) + bytes
        return try P256.PrivateKey(scalar: SecureBytes(copying: number.span.extracting(last: 32)))
    }

    private static let script = """
        cd "$0"
        umask 077

        key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
        root() {
            key "$1"
            openssl req -x509 -key "$1.key" -subj "/CN=$1" -days 90 -out "$1.pem"
        }
        issue() {
            [ -e "$1.key" ] || key "$1"
            printf '%b' "$3" > extensions
            openssl req -new -key "$1.key" -subj "/CN=$1" -out request
            openssl x509 -req -in request -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days 60 \\
                -extfile extensions -out "$1.pem"
        }

        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key

        root root
        root otherRoot

        issue middle root 'basicConstraints=critical,CA:TRUE\\nkeyUsage=keyCertSign'

        end='basicConstraints=CA:FALSE\\nkeyUsage=digitalSignature'
        issue elliptic middle "$end"
        issue rsa root "$end"
        issue client root "$end\\nextendedKeyUsage=clientAuth,serverAuth"
        issue code root "$end\\nextendedKeyUsage=critical,codeSigning"
        both='digitalSignature,keyCertSign'
        issue signingCA root "basicConstraints=critical,CA:TRUE\\nkeyUsage=$both"

        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out p384.key
        issue p384 root "$end"
        """
}

/// RFC 7518, section 4.6.2.
func derivation(for encryption: JWE.Encryption) -> KeyDerivation {
    KeyDerivation(
        algorithmID: Array(encryption.rawValue.utf8),
        partyUInfo: [],
        partyVInfo: [],
        byteCount: encryption.keyByteCount
    )
}

func read(jwe text: String) throws(JOSEFailure) -> JWE {
    try JWE(reading: Array(text.utf8), maximumByteCount: 64_000)
}

func read(jws text: String) throws(JOSEFailure) -> JWS {
    try JWS(reading: Array(text.utf8), maximumByteCount: 64_000)
}

func json(_ text: String) throws -> JSONValue {
    try JSONValue(reading: Array(text.utf8), limits: .message)
}

extension SecureBytes {
    var array: [UInt8] { withBytes { $0.array } }
}

extension StringProtocol {
    /// The text's bytes in base64url.
    var base64URL: String {
        let bytes = Array(utf8)
        return TextEncoding.base64URL.encode(bytes.span)
    }
}
