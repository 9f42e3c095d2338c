import CommandLineTool
import ConfigurationFiles
import OneTimePasswordFormats
import PrivateFiles
import Sealing
import Verification

extension CommandFailure {
    /// The table of failures of a load; `secret` is the file of the key or the password.
    init(
        _ failure: LoadFailure,
        loading path: String,
        unlockedBy secret: String?,
        by configuration: Configuration
    ) {
        self =
            switch failure {
            case .file(let failure): CommandFailure(failure, of: path)
            case .system(let failure), .document(.system(let failure)): CommandFailure(failure)
            case .verifier(let failure): CommandFailure(failure, of: configuration)
            case .header(let failure):
                CommandFailure(.malformedInput, "\(path): \(failure.text)")
                    .suggesting("countersignd help load shows the columns")
            case .lineTooLong: .malformedFile(path, "has a line longer than 4000 bytes")
            case .key(let failure): CommandFailure(failure, of: .ofDocument(secret ?? path))
            case .document(let failure):
                CommandFailure(.malformedInput, "cannot read \(path): \(failure.text)")
            case .documentTooLarge: .malformedFile(path, "is larger than 4 MiB")
            case .noKeys: .malformedFile(path, "does not contain keys")
            case .differentFile:
                CommandFailure(
                    .malformedInput,
                    "\(path) differs from the file that was loaded under this name",
                    hint: "use another --name, or load the first file"
                )
            case .inUse:
                CommandFailure(.tryLater, "another process is loading under this name")
                    .suggesting("wait until it ends")
            }
    }

    private static func malformedFile(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(.malformedInput, "\(path) \(reason)")
    }
}

extension SecretFile {
    /// The key or the password of a document.
    fileprivate static func ofDocument(_ path: String) -> SecretFile {
        let missing = CommandFailure(.noInput, "\(path) does not exist")
        return SecretFile(path: path, missing: missing) { failure in
            guard failure != .empty, failure != .tooLong else {
                return CommandFailure(.malformedInput, "\(path) \(failure.reason)")
            }
            return CommandFailure(.malformedInput, "\(path) does not contain a key or a password")
                .suggesting("write one line: a password, or a key in hexadecimal")
        }
    }
}

extension LoadFailure.HeaderFailure {
    fileprivate var text: String {
        switch self {
        case .absent: "the line with the column names is missing"
        case .quoting: "a quote is misplaced in the line with the column names"
        case .unknownColumn(let number): "the name of column \(number) is unknown"
        case .repeatedColumn(let name): "the column \(name) occurs twice"
        case .missingColumn(let name): "the column \(name) is missing"
        case .twoSecrets: "a file has secrets in hexadecimal or in base32, not both"
        }
    }
}

extension PSKCDocument.ReadingFailure {
    fileprivate var text: String {
        switch self {
        case .tooLarge: "it is too large or too deep"
        case .encodingRefused: "it is not UTF-8"
        case .notXML(let line): "line \(line) is not XML"
        case .doctypeRefused: "a DOCTYPE is not allowed"
        case .notPSKC: "it is not a PSKC document"
        case .unexpectedElement(let line): "line \(line) contains an unknown element"
        case .missing(let name, let line): "\(name) is missing in line \(line)"
        case .malformed(let name, let line): "\(name) is malformed in line \(line)"
        case .duplicateKeyID(let line): "the key in line \(line) repeats the ID of another key"
        case .unsupportedAlgorithm(_, let line): "line \(line) names an unknown algorithm"
        case .preSharedKeyNeeded: "it is encrypted; give its key with --key"
        case .passwordNeeded: "it is encrypted; give its password with --password"
        case .wrongKeyLength(let count): "it needs a key of \(count) bytes"
        case .iterationsOutOfRange: "its number of PBKDF2 iterations is too small or too large"
        case .macMissing(let line): "line \(line) has no MAC"
        case .macMismatch: "the key or the password is wrong, or the file was changed"
        case .system: "this machine does not support it"
        }
    }
}
