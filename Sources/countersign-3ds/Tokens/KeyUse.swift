import CommandLineTool
import JOSE

/// The use of a key, as a refusal describes it.
enum KeyUse: String {
    case sealing = "to encrypt: use the recipient's public key, or an oct key"
    case opening = "to decrypt: use the recipient's private key, or an oct key"
    case signing = "to sign: use a private EC key, or a private RSA key in PEM"
    case verifying = "to verify: use a public key, or a certificate"
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
                CommandFailure(.malformedInput, "\(shownName) is not a key \(use.rawValue)")
            }
        }
    }
}

extension CommandFailure {
    /// A token that was not opened: all refusals are one.
    init(_ failure: JOSEFailure, opening file: FilePath) {
        self.init(failure) {
            CommandFailure(
                .refused,
                "\(file.shownName) is not an authentic token for this key"
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
