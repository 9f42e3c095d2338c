import CommandLineTool
import ConfigurationFiles
import Cryptography
import PrivateFiles
import Sealing

/// A file with a secret, and the failures that depend on the use of the secret.
struct SecretFile {
    let path: String
    /// The failure if the file does not exist.
    let missing: CommandFailure
    /// The failure of a file with another content.
    let malformed: (KeyFile.Failure) -> CommandFailure

    /// A key of the verifier.
    static func key(_ path: String) -> SecretFile {
        let missing = CommandFailure(.noInput, "the key \(path) does not exist")
            .suggesting("restore it from the backup of the keys; a new key cannot replace it")
        return key(path, missing: missing)
    }

    /// A file of `webhooks.secrets`.
    static func webhookSecret(_ path: String) -> SecretFile {
        let missing = CommandFailure(.noInput, "the webhook secret \(path) does not exist")
            .suggesting("correct webhooks.secrets, or \(hintForWebhookSecret)")
        return SecretFile(path: path, missing: missing) { failure in
            CommandFailure(.malformedInput, "the webhook secret \(path) \(failure.reason)")
                .suggesting(hintForWebhookSecret)
        }
    }

    static let hintForWebhookSecret =
        "create one: (umask 077; echo \"whsec_$(openssl rand -base64 32)\" >FILE)"

    /// The file of `push.fcm.serviceAccount`.
    static func serviceAccount(_ path: String) -> SecretFile {
        let missing = CommandFailure(.noInput, "the service account \(path) does not exist")
            .suggesting("correct push.fcm.serviceAccount, or \(hintForServiceAccount)")
        return SecretFile(path: path, missing: missing) { failure in
            CommandFailure(.malformedInput, "the service account \(path) \(failure.reason)")
                .suggesting(hintForServiceAccount)
        }
    }

    static let hintForServiceAccount = "use the file as the Google Cloud console creates it"

    /// A key with another way to get it back.
    static func key(_ path: String, missing: CommandFailure) -> SecretFile {
        SecretFile(path: path, missing: missing) { failure in
            CommandFailure(.malformedInput, "the key file \(path) \(failure.reason)")
                .suggesting("restore it from the backup of the keys")
        }
    }
}

extension CommandFailure {
    /// The one table of failures of files with secrets.
    init(_ failure: KeyFile.Failure, of file: SecretFile) {
        self =
            switch failure {
            case .file(.missing): file.missing
            case .file(let failure): CommandFailure(failure, of: file.path)
            case .system(let failure): CommandFailure(failure)
            case .otherNewest(let version):
                CommandFailure(
                    .tryLater,
                    "another process added version \(version) of the encryption key to \(file.path)",
                    hint: "run countersignd rotate to use that version; no key was removed"
                )
            case .unsealed(line: 1):
                file.malformed(failure)
                    .suggesting(
                        "if you have just added pkcs11.sealingKey, run countersignd rotate "
                            + "--seal-keys; otherwise restore the file: an attacker may have replaced it"
                    )
            case .unsealed:
                file.malformed(failure)
                    .suggesting("remove the line if no operator added it: an attacker may have")
            case .sealed:
                file.malformed(failure).suggesting("use the token that the keys were sealed with")
            case .sealedUnderOther:
                file.malformed(failure).suggesting(
                    "use the token that the keys were sealed with, or seal them again: "
                        + "countersignd rotate --seal-keys --former-key OLD-LABEL"
                )
            default: file.malformed(failure)
            }
    }
}

extension KeyFile.Failure {
    /// Completes a sentence that begins with the name of the file.
    var reason: String {
        switch self {
        case .empty: "is empty"
        case .tooLong: "is too long"
        case .malformedLine(let line): "is malformed in line \(line)"
        case .wrongLength(let line): "has a key of the wrong length in line \(line)"
        case .repeatedVersion(let version): "contains version \(version) twice"
        case .sealed(let line):
            "is sealed in line \(line), but pkcs11.sealingKey is not set"
        case .unsealed(let line):
            "is not sealed in line \(line), but pkcs11.sealingKey is set"
        case .sealedUnderOther(let line):
            "is sealed in line \(line) under another key than pkcs11.sealingKey"
        case .notAKey, .file, .system, .otherNewest: "does not contain a key"
        }
    }
}
