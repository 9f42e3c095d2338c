import CommandLineTool
import Cryptography
import JOSE

struct JWEOpenCommand: Command {
    static let name = "jwe open"
    static let summary = "Decrypt a token (JWE), and print its content."
    static let discussion = """
        The algorithms are dir, ECDH-ES and RSA-OAEP-256, with A128CBC-HS256 or A128GCM. A content
        that was changed is not printed. A file or a pipe gets exactly the content, without another
        line break. With --json, the object has the header's values too.

        Example:
            countersign-3ds jwe open device.jwe --key directory.pem
        """

    @Argument(help: "The token; - reads standard input.")
    private var file: FilePath
    @Option("key", help: "The file of the key: oct, or the private key of the recipient.")
    private var key: FilePath
    @PeerOption private var peer: ShortName?
    @JSONFlag private var printsJSON: Bool

    func validate(for program: Program) throws(CommandFailure) {
        try FilePath.checkStandardInput(of: [file, key])
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let text = try file.token()
        let key = try key.key(.opening) { file throws(JOSEFailure) in try file.openingKey() }
        try checkOptions(for: key)
        let token: JWE
        let content: [UInt8]
        do throws(JOSEFailure) {
            token = try JWE(reading: text, maximumByteCount: TokenLimit.byteCount)
            content = try open(token, with: key)
        } catch {
            throw CommandFailure(error, opening: file)
        }
        let facts = [
            ("algorithm", token.algorithm.rawValue), ("encryption", token.encryption.rawValue),
        ]
        let keyID = token.keyID.map { [("keyID", $0)] } ?? []
        try terminal.output.print(content: content.span, of: facts + keyID, inJSON: printsJSON)
    }

    private func checkOptions(for key: borrowing OpeningKey) throws(CommandFailure) {
        guard peer != nil else { return }
        switch key {
        case .ecdhES: break
        case .direct: throw .notFor("--for", "EC")
        case .rsaOAEP256: throw .notFor("--for", "EC")
        }
    }

    private func open(
        _ token: JWE,
        with key: borrowing OpeningKey
    ) throws(JOSEFailure) -> [UInt8] {
        let permitted = JWE.Encryption.allCases
        switch key {
        case .direct(let key): return try token.opened(with: key, permitting: permitted)
        case .ecdhES(let key):
            let derivation = KeyDerivation(for: peer, token.encryption)
            return try token.opened(by: key, deriving: derivation, permitting: permitted)
        case .rsaOAEP256(let key): return try token.opened(by: key, permitting: permitted)
        }
    }
}
