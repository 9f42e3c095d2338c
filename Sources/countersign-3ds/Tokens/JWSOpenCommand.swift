import CommandLineTool
import Cryptography
import Glibc
import JOSE

struct JWSOpenCommand: Command {
    static let name = "jws open"
    static let summary = "Verify a signed token (JWS), and print its content."
    static let discussion = """
        The algorithms are ES256 and PS256. A content without a valid signature is not printed.

        With --anchor, the header's first certificate must have signed the content. A chain must
        lead from it to this CA certificate, as in acsSignedContent. All certificates must be valid
        at the time.

        Example:
            countersign-3ds jws open content.jws --anchor directory-ca.pem
        """

    @Argument(help: "The token; - reads standard input.")
    private var file: FilePath
    @Option("key", help: "The file of the signer's public key.")
    private var key: FilePath?
    @Option("anchor", help: "The CA certificate in PEM; it replaces --key.")
    private var anchor: FilePath?
    @Option("at", value: "SECONDS", help: "The time since 1970 for --anchor; by default, now.")
    private var time: Int?
    @JSONFlag private var printsJSON: Bool

    func validate(for program: Program) throws(CommandFailure) {
        guard (key == nil) != (anchor == nil) else {
            throw CommandFailure(.usage, "exactly one of --key and --anchor is needed")
        }
        guard time == nil || anchor != nil else {
            throw CommandFailure(.usage, "--at needs --anchor")
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let text = try file.token()
        let verify = try verification()
        let token: JWS
        let content: [UInt8]
        do throws(JOSEFailure) {
            token = try JWS(reading: text, maximumByteCount: TokenLimit.byteCount)
            content = try verify(token)
        } catch {
            throw CommandFailure(error, opening: file)
        }
        let facts = [("algorithm", token.algorithm.rawValue)]
        try terminal.output.print(content: content.span, of: facts, inJSON: printsJSON)
    }

    private typealias Verification = (JWS) throws(JOSEFailure) -> [UInt8]

    private func verification() throws(CommandFailure) -> Verification {
        if let anchor {
            let certificate = try anchor.certificates()[0]
            let seconds = Int64(time ?? Glibc.time(nil))
            return { token throws(JOSEFailure) in
                let all = JWS.Algorithm.allCases
                return try token.payload(verifiedBelow: certificate, at: seconds, permitting: all)
            }
        }
        let key = try key?.key(.verifying) { file throws(JOSEFailure) in
            try file.verificationKey()
        }
        return { token throws(JOSEFailure) in
            // The command line has a key, or an anchor.
            guard let key else { throw .refused }
            return try token.payload(verifiedBy: key)
        }
    }
}
