import Foundation
import TestSupport

@testable import Cryptography

/// Certificates of two authorities in a folder, made by openssl.
struct CertificateChains: Sendable {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let made = try FinishedProcess.run("sh", ["-euc", Self.script, folder.path])
        guard made.exitCode == 0 else { throw Unmade(output: made.errorOutput) }
    }

    struct Unmade: Error {
        let output: String
    }

    func certificate(_ name: String) throws -> Certificate {
        let pem = [UInt8](try Data(contentsOf: URL(filePath: "\(folder.path)/\(name).pem")))
        guard let certificate = try Certificate.all(inPEM: pem).first else {
            throw Unmade(output: name)
        }
        return certificate
    }

    func openssl(_ words: String) throws -> FinishedProcess {
        try FinishedProcess.run("sh", ["-euc", "cd \"$0\"; openssl \(words)", folder.path])
    }

    func isTrustedByOpenSSL(
        _ leaf: String,
        _ anchor: String,
        _ intermediates: [String]
    ) throws -> Bool {
        let untrusted = intermediates.map { "-untrusted \($0).pem" }.joined(separator: " ")
        return try openssl(
            """
            verify -no-CApath -no-CAstore -partial_chain -auth_level 2 -trusted \(anchor).pem \
            \(untrusted) \(leaf).pem
            """
        ).exitCode == 0
    }

    private static let script = """
        cd "$0"
        umask 077

        key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }

        root() {
            key "$1"
            openssl req -x509 -key "$1.key" -subj "/CN=$2" -days 400 -out "$1.pem"
        }

        # NAME ISSUER EXTENSIONS [HASH]
        issue() {
            [ -e "$1.key" ] || key "$1"
            printf '%b' "$3" > extensions
            openssl req -new -key "$1.key" -subj "/CN=$1" -out request
            openssl x509 -req -in request -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days 300 \\
                "-${4:-sha256}" -extfile extensions -out "$1.pem"
        }

        end='basicConstraints=critical,CA:FALSE\\nkeyUsage=critical'
        root root root
        root other other

        issue leaf root "$end,digitalSignature"
        issue leaf2 root "$end,digitalSignature"
        issue unlimited root 'basicConstraints=CA:FALSE'
        issue encipherment root "$end,keyEncipherment"

        issue middle root 'basicConstraints=critical,CA:TRUE,pathlen:0\\nkeyUsage=keyCertSign'
        issue below middle "$end,digitalSignature"

        issue low middle 'basicConstraints=critical,CA:TRUE\\nkeyUsage=keyCertSign'
        issue tooDeep low "$end,digitalSignature"

        issue misissued leaf "$end,digitalSignature"
        issue weakHash root "$end,digitalSignature" sha1

        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key
        issue rsa root "$end,digitalSignature"

        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out smallKey.key
        issue smallKey root "$end,digitalSignature"

        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out p384.key
        issue p384 root "$end,digitalSignature"

        openssl genpkey -algorithm ED25519 -out ed25519.key
        issue ed25519 root "$end,digitalSignature"

        issue client root "$end,digitalSignature\\nextendedKeyUsage=clientAuth"
        issue server root "$end,digitalSignature\\nextendedKeyUsage=clientAuth,serverAuth"
        issue code root "$end,digitalSignature\\nextendedKeyUsage=critical,codeSigning"
        issue unknown root "$end,digitalSignature\\nextendedKeyUsage=1.2.3.4"
        issue any root "$end,digitalSignature\\nextendedKeyUsage=anyExtendedKeyUsage"
        issue several root "$end,digitalSignature\\nextendedKeyUsage=serverAuth,2.5.29.37.0"

        both='digitalSignature,keyCertSign'
        issue signingCA root "basicConstraints=critical,CA:TRUE\\nkeyUsage=$both"
        issue oldCA root "keyUsage=$both"

        # Another authority of the same name.
        root impostor root
        issue forged impostor "$end,digitalSignature"
        """
}
