import CommandLineTool
import Cryptography
import JOSE

struct JWSSignCommand: Command {
    static let name = "jws sign"
    static let summary = "Sign a file, and print the token (JWS)."
    static let discussion = """
        The key chooses the algorithm: ES256 for an EC key, and PS256 for an RSA key. A line break
        follows the token. The content has at most 1 MiB.

        Example:
            countersign-3ds jws sign data.json --key acs.pem --certificates chain.pem
        """

    @Argument(help: "The content; - reads standard input.")
    private var file: FilePath
    @Option("key", help: "The file of the private key.")
    private var key: FilePath
    @Option(
        "certificates",
        help: "Certificates for the header in PEM; at most 10, the key's own first."
    )
    private var certificates: FilePath?
    @JSONFlag private var printsJSON: Bool

    func validate(for program: Program) throws(CommandFailure) {
        try FilePath.checkStandardInput(of: [file, key, certificates])
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let content = try file.content()
        let signer = try key.key(.signing) { file throws(JOSEFailure) in try file.signingKey() }
        let chain = try certificates?.certificates() ?? []
        guard chain.count <= 10 else {
            throw CommandFailure(.malformedInput, "there are more than 10 certificates")
        }
        let token: String
        do throws(JOSEFailure) {
            token = try JWS.signed(content.span, by: signer, certificates: chain)
            if let own = chain.first { try check(token, isSignedBy: own) }
        } catch {
            throw CommandFailure(error) {
                CommandFailure(.malformedInput, "the first certificate is not for this key")
            }
        }
        try terminal.output.print("token", token, inJSON: printsJSON, or: [token])
    }

    /// A receiver would refuse a token whose first certificate is for another key.
    private func check(
        _ token: String,
        isSignedBy certificate: Certificate
    ) throws(JOSEFailure) {
        let token = try JWS(reading: Array(token.utf8), maximumByteCount: TokenLimit.byteCount)
        let key: Certificate.PublicKey
        do throws(CryptographyFailure) {
            key = try certificate.publicKey()
        } catch {
            // A key of another kind is another key.
            throw SystemFailure(cause: error).map { .system($0) } ?? .refused
        }
        _ = try token.payload(verifiedBy: JWS.VerificationKey(key))
    }
}

extension FilePath {
    /// At least one certificate, in PEM.
    func certificates() throws(CommandFailure) -> [Certificate] {
        let pem = try contents(atMost: TokenLimit.contentByteCount)
        do throws(CryptographyFailure) {
            let certificates = try Certificate.all(inPEM: pem)
            if !certificates.isEmpty { return certificates }
        } catch {
            if let failure = SystemFailure(cause: error) { throw CommandFailure(failure) }
            throw CommandFailure(.malformedInput, "\(shownName) has an unreadable certificate")
        }
        throw CommandFailure(.malformedInput, "\(shownName) has no certificate in PEM")
    }
}
