import CommandLineTool
import Cryptography
import JOSE

struct JWESealCommand: Command {
    static let name = "jwe seal"
    static let summary = "Encrypt a file, and print the token (JWE)."
    static let discussion = """
        The key chooses the algorithm: dir for an oct key, ECDH-ES for an EC key, and RSA-OAEP-256
        for an RSA key. A line break follows the token. The content has at most 1 MiB.

        Example:
            countersign-3ds jwe seal data.json --key peer.jwk --encryption A128GCM
        """

    @Argument(help: "The content; - reads standard input.")
    private var file: FilePath
    @Option("key", help: "The file of the key: oct, or the public key of the recipient.")
    private var key: FilePath
    @Option("encryption", help: "The cipher of the content.")
    private var encryption: JWE.Encryption
    @Option("key-id", help: "The header's kid, for an oct key.")
    private var keyID: ShortName?
    @PeerOption private var peer: ShortName?
    @JSONFlag private var printsJSON: Bool

    func validate(for program: Program) throws(CommandFailure) {
        try FilePath.checkStandardInput(of: [file, key])
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let content = try file.content()
        let key = try key.key(.sealing) { file throws(JOSEFailure) in try file.sealingKey() }
        try checkOptions(for: key)
        let token: String
        do throws(JOSEFailure) {
            token = try seal(content, with: key)
        } catch {
            let refusal = CommandFailure(
                .malformedInput,
                "\(self.key.shownName) does not have the length of a key for \(encryption.rawValue)"
            )
            throw CommandFailure(error) {
                refusal.suggesting("an oct key has \(encryption.keyByteCount) bytes")
            }
        }
        try terminal.output.print("token", token, inJSON: printsJSON, or: [token])
    }

    private func checkOptions(for key: borrowing SealingKey) throws(CommandFailure) {
        let (isDirect, isAgreed) =
            switch key {
            case .direct: (true, false)
            case .ecdhES: (false, true)
            case .rsaOAEP256: (false, false)
            }
        guard peer == nil || isAgreed else { throw .notFor("--for", "EC") }
        guard keyID == nil || isDirect else { throw .notFor("--key-id", "oct") }
    }

    private func seal(
        _ content: [UInt8],
        with key: borrowing SealingKey
    ) throws(JOSEFailure) -> String {
        switch key {
        case .direct(let key):
            return try JWE.sealed(
                content.span,
                with: key,
                encryption: encryption,
                keyID: keyID?.text
            )
        case .ecdhES(let key):
            let derivation = KeyDerivation(for: peer, encryption)
            return try JWE.sealed(
                content.span,
                to: key,
                deriving: derivation,
                encryption: encryption
            )
        case .rsaOAEP256(let key):
            return try JWE.sealed(content.span, to: key, encryption: encryption)
        }
    }
}

extension JWE.Encryption: ArgumentValue {}
