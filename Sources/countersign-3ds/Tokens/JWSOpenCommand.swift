import CommandLineTool
import Cryptography
import Glibc
import JOSE

struct JWSOpenCommand: Command {
    static let name = "jws open"
    static let summary = "Verify a signed token (JWS), and print its content."
    static let discussion = """
        The algorithms are ES256 and PS256. A content without a valid signature is not printed. A
        file or a pipe gets exactly the content, without another line break.

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
        try FilePath.checkStandardInput(of: [file, key, anchor])
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let text = try file.token()
        let verifier = try Verifier(key: key, anchor: anchor, at: time)
        let token: JWS
        let content: [UInt8]
        do throws(JOSEFailure) {
            token = try JWS(reading: text, maximumByteCount: TokenLimit.byteCount)
            content = try verifier.content(of: token)
        } catch {
            throw CommandFailure(error, opening: file, with: key == nil ? "anchor" : "key")
        }
        let facts = [("algorithm", token.algorithm.rawValue)]
        try terminal.output.print(content: content.span, of: facts, inJSON: printsJSON)
    }
}

/// The ways to verify a signature.
private enum Verifier {
    case key(JWS.VerificationKey)
    case anchor(Certificate, seconds: Int64)

    init(key: FilePath?, anchor: FilePath?, at time: Int?) throws(CommandFailure) {
        if let key {
            self = .key(
                try key.key(.verifying) { file throws(JOSEFailure) in try file.verificationKey() }
            )
        } else {
            let certificates = try anchor?.certificates() ?? []
            guard certificates.count == 1 else {
                throw CommandFailure(.malformedInput, "--anchor has more than one certificate")
            }
            self = .anchor(certificates[0], seconds: Int64(time ?? Glibc.time(nil)))
        }
    }

    func content(of token: JWS) throws(JOSEFailure) -> [UInt8] {
        switch self {
        case .key(let key): try token.payload(verifiedBy: key)
        case .anchor(let anchor, let seconds):
            try token.payload(
                verifiedBelow: anchor,
                at: seconds,
                permitting: JWS.Algorithm.allCases
            )
        }
    }
}
