import CommandLineTool
import JOSE

/// The use of a key.
enum KeyUse: String {
    case sealing = "encrypt"
    case opening = "decrypt"
    case signing = "sign"
    case verifying = "verify"

    fileprivate var hint: String {
        let keys =
            switch self {
            case .sealing: "the recipient's public key, or an oct key"
            case .opening: "the recipient's private key, or an oct key"
            case .signing: "a private EC key, or a private RSA key in PEM"
            case .verifying: "a public key, or a certificate"
            }
        return "use \(keys), without another use, alg or key_ops"
    }
}

extension FilePath {
    /// The key in this file for one use.
    func key<Key: ~Copyable>(
        _ use: KeyUse,
        _ convert: (KeyFile) throws(JOSEFailure) -> Key
    ) throws(CommandFailure) -> Key {
        let file = try KeyFile(self)
        do throws(JOSEFailure) {
            return try convert(file)
        } catch {
            throw CommandFailure(error) {
                CommandFailure(.malformedInput, "\(shownName) is not a key to \(use.rawValue)")
                    .suggesting(use.hint)
            }
        }
    }
}

extension CommandFailure {
    /// A token that was not opened: all refusals are one.
    init(_ failure: JOSEFailure, opening file: FilePath, with key: String = "key") {
        self.init(failure) {
            CommandFailure(
                .refused,
                "\(file.shownName) is not an authentic token for this \(key)"
            )
        }
    }

    init(_ failure: JOSEFailure, or refusal: () -> CommandFailure) {
        switch failure {
        case .refused: self = refusal()
        case .system(let failure): self.init(failure)
        }
    }
}
