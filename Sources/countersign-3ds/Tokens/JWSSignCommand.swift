import CommandLineTool
import Cryptography
import JOSE

struct JWSSignCommand: Command {
    static let name = "jws sign"
    static let summary = "Sign a file, and print the token (JWS)."
    static let discussion = """
        The key chooses the algorithm: ES256 for an EC key, and PS256 for an RSA key.

        Example:
            countersign-3ds jws sign data.json --key acs.pem --certificates chain.pem
        """

    @Argument(help: "The content; - reads standard input.")
    private var file: FilePath
    @Option("key", help: "The file of the private key.")
    private var key: FilePath
    @Option("certificates", help: "Certificates for the header in PEM; the key's own is first.")
    private var certificates: FilePath?
    @JSONFlag private var printsJSON: Bool

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let content = try file.contents(atMost: TokenLimit.byteCount)
        let signer = try key.key(.signing) { file throws(JOSEFailure) in try file.signingKey() }
        let chain = try certificates?.certificates() ?? []
        let token: String
        do throws(JOSEFailure) {
            token = try JWS.signed(content.span, by: signer, certificates: chain)
        } catch {
            throw CommandFailure(error) { CommandFailure(.internalFailure, "cannot sign") }
        }
        if let own = chain.first { try check(token, isSignedBy: own) }
        try terminal.output.print("token", token, inJSON: printsJSON, or: [token])
    }

    /// A receiver would refuse a token whose first certificate is for another key.
    private func check(
        _ token: String,
        isSignedBy certificate: Certificate
    ) throws(CommandFailure) {
        do {
            let key = JWS.VerificationKey(try certificate.publicKey())
            _ = try JWS(reading: Array(token.utf8), maximumByteCount: 4 * TokenLimit.byteCount)
                .payload(verifiedBy: key)
        } catch {
            throw CommandFailure(.malformedInput, "the first certificate is not for this key")
        }
    }
}

extension FilePath {
    /// At least one certificate, in PEM.
    func certificates() throws(CommandFailure) -> [Certificate] {
        let pem = try contents(atMost: TokenLimit.byteCount)
        // `try?`: a damaged certificate is none.
        guard let certificates = try? Certificate.all(inPEM: pem), !certificates.isEmpty else {
            throw CommandFailure(.malformedInput, "\(shownName) has no certificate in PEM")
        }
        return certificates
    }
}
