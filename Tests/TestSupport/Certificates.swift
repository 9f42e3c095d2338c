import Foundation

/// Files of certificates with their keys, created once by openssl.
package struct Certificates: Sendable {
    package static let shared = Result { try Certificates() }

    private let folder: TemporaryFolder

    package enum Name: String, Sendable {
        /// Trusted by the tests' clients.
        case authority
        case otherAuthority
        case server
        /// The server's key, with a certificate of the other CA.
        case foreign
        case otherHost, expired, rsa, client
        /// Client certificates: past its end, and of the other CA.
        case expiredClient, foreignClient
        /// Ends in 10 days; most others end in 90 days.
        case expiring
        /// The server's certificate, with the key of `client`.
        case otherKey
        /// The server's certificate, and one of its CA that ends in 10 days.
        case expiringChain
        /// With a key that OpenSSL rejects.
        case weak
        /// The host is only in the subject, which clients ignore.
        case localhost
    }

    package func path(_ name: Name) -> String { "\(folder.path)/\(name).pem" }

    /// The pin that openssl computes from the public key.
    package func pinText(_ name: Name) throws -> String {
        let digest = try String(contentsOfFile: "\(folder.path)/\(name).pin", encoding: .utf8)
        return digest.trimmingCharacters(in: .newlines)
    }

    private init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write(Self.configuration, to: "configuration")
        _ = try folder.write("", to: "index")
        let run = try FinishedProcess.run("sh", ["-euc", Self.script, folder.path])
        guard run.exitCode == 0 else { throw Unmade(output: run.errorOutput) }
    }

    struct Unmade: Error {
        let output: String
    }

    private static let configuration = """
        [req]
        distinguished_name = name
        [name]
        [ca]
        default_ca = authority
        [authority]
        database = index
        new_certs_dir = .

        default_md = sha256
        default_days = 90
        rand_serial = yes
        unique_subject = no
        policy = policy

        [policy]
        commonName = supplied
        [root]
        basicConstraints = critical, CA:TRUE
        [here]
        subjectAltName = DNS:localhost, IP:127.0.0.1
        [elsewhere]
        subjectAltName = DNS:bank.example
        [nowhere]
        basicConstraints = CA:FALSE
        """

    private static let script = """
        cd "$0"
        key() {
            openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"
        }

        root() {
            key "$1"
            openssl req -config configuration -x509 -key "$1.key" -subj "/CN=$1" \\
                -extensions root -days 90 -out "$1.pem"
        }

        issue() {
            name=$1 issuer=$2 extensions=$3 key=$4
            shift 4

            openssl req -config configuration -new -key "$key.key" -subj "/CN=$name" -out request

            openssl ca -config configuration -batch -notext -cert "$issuer.pem" \\
                -keyfile "$issuer.key" -extensions "$extensions" -in request -out "$name.pem" "$@"
            cat "$key.key" >> "$name.pem"

            openssl pkey -in "$key.key" -pubout -outform der | openssl dgst -sha256 -binary |
                base64 > "$name.pin"
        }

        root authority
        root otherAuthority
        key server
        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key

        issue server authority here server
        issue foreign otherAuthority here server
        issue otherHost authority elsewhere server

        issue expired authority here server -startdate 20200101000000Z -enddate 20200201000000Z
        issue expiring authority here server -days 10
        issue rsa authority here rsa

        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out weak.key
        issue weak authority here weak

        key client
        issue client authority here client
        issue foreignClient otherAuthority here client

        issue expiredClient authority here client -startdate 20200101000000Z -enddate 20200201000000Z
        issue localhost authority nowhere server

        openssl x509 -in server.pem -out otherKey.pem
        cat client.key >> otherKey.pem

        openssl x509 -in server.pem -out expiringChain.pem
        cat expiring.pem >> expiringChain.pem
        """
}
