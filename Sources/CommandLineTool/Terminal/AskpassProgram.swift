import Cryptography
import FailureTranslation
import Glibc
import PrivateFiles

/// A program that prompts a person for a secret, for example in a window.
///
/// Like `ssh-askpass`, it takes the question as its argument and prints the secret on one line. It
/// inherits the environment, which can name a display.
package struct AskpassProgram {
    private let path: String

    package init(path: String) {
        self.path = path
    }

    /// Nil if the program prints nothing or exits with an error.
    package func secret(for question: String) throws(CommandFailure) -> TypedSecret? {
        let program = ChildProcess.Program(path: path, arguments: [question])
        let process = try translating(ChildProcess(program)) { (_: FileFailure) in
            CommandFailure(
                .noInput,
                localized(
                    "cannot run \(path) to ask for a secret",
                    german: "\(path) lässt sich für die Abfrage nicht starten"
                )
            )
            .suggesting(
                localized(
                    "check \"askpass\" in the settings file",
                    german: "prüfen Sie \"askpass\" in der Datei der Einstellungen"
                )
            )
        }
        let line = Result { () throws(CommandFailure) in
            try secretLine(from: process.output.number, named: path)
        }
        let status = process.end()
        let secret = try line.get()
        // Output after the first line is ignored, so SIGPIPE is not an error.
        return status == 0 || status == SIGPIPE ? secret : nil
    }
}
