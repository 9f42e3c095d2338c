import CommandLineTool
import Cryptography
import JOSE

struct JWEOpenCommand: Command {
    static let name = "jwe open"
    static let summary = "Decrypt a token (JWE), and print its content."
    static let discussion = """
        The algorithms are dir, ECDH-ES and RSA-OAEP-256, with A128CBC-HS256 or A128GCM. A content
        that was changed is not printed. With --json, the object has the header's values too.

        Example:
            countersign-3ds jwe open device.jwe --key directory.pem
        """

    @Argument(help: "The token; - reads standard input.")
    private var file: FilePath
    @Option("key", help: "The file of the key: oct, or the private key of the recipient.")
    private var key: FilePath
    @PeerOption private var peer: String?
    @JSONFlag private var printsJSON: Bool

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let text = try file.token()
        let key = try key.key(.opening) { file throws(JOSEFailure) in try file.openingKey() }
        let token: JWE
        let content: SecureBytes
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
        try content.withBytes { content throws(CommandFailure) in
            try terminal.output.print(content: content, of: facts + keyID, inJSON: printsJSON)
        }
    }

    private func open(
        _ token: JWE,
        with key: borrowing OpeningKey
    ) throws(JOSEFailure) -> SecureBytes {
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
