import CommandLineTool
import ConfigurationFiles
import Cryptography
import PrivateFiles
import Sealing

/// A file that only the user of the ACS may read.
struct SecretFile {
    let path: String
    /// The content, for messages: "token", "signing key".
    let content: String
    /// How an operator gets a missing file.
    let hint: String
    /// How an operator corrects another content; nil for `hint`.
    var hintForContent: String?
    /// How an operator shortens a file; nil for the hint about its content.
    var hintForLength: String?

    /// The only line.
    func line() throws(CommandFailure) -> SecureBytes {
        try reading(try KeyFile.onlyLine(of: .file(path)))
    }

    /// The whole content.
    func text() throws(CommandFailure) -> SecureBytes {
        try reading(try KeyFile.text(in: .file(path)))
    }

    /// A malformed content is never quoted: it can be another secret.
    var malformed: CommandFailure {
        CommandFailure(.malformedInput, "\(path) does not contain a \(content)")
            .suggesting(hintForContent ?? hint)
    }

    func reading<Outcome: ~Copyable>(
        _ read: @autoclosure () throws(KeyFile.Failure) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        do throws(KeyFile.Failure) {
            return try read()
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ failure: KeyFile.Failure) -> CommandFailure {
        switch failure {
        case .system(let failure): CommandFailure(failure)
        case .file(.missing):
            CommandFailure(.noInput, "the \(content) \(path) does not exist").suggesting(hint)
        case .file(let failure): CommandFailure(failure, of: path)
        case .otherNewest(let version):
            CommandFailure(
                .tryLater,
                "another process added version \(version) of the encryption key to \(path)",
                hint: "run countersign-acs rotate to use that version; no key was removed"
            )
        case .tooLong:
            CommandFailure(
                .malformedInput,
                "\(path) is too long",
                hint: hintForLength ?? hintForContent ?? hint
            )
        default: malformed
        }
    }
}
