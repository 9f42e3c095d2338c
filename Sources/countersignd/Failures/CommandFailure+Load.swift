import CommandLineTool
import OneTimePassword
import OneTimePasswordFormats
import Verification

extension CommandFailure {
    /// `secret` is the file of the key or the password that opens the other one.
    init(
        _ failure: LoadFailure,
        loading path: String,
        unlockedBy secret: String?,
        by configuration: Configuration
    ) {
        switch failure {
        case .file(.missing): self.init(.noInput, "\(path) is not there")
        case .file(let failure): self.init(failure, of: .file(path))
        case .machine(let failure): self.init(failure)
        case .verifier(let failure): self.init(failure, of: configuration)
        case .header(let fault):
            self.init(
                .malformedInput,
                "\(path): \(fault.text)",
                hint: "countersignd help load shows the columns"
            )
        case .lineTooLong: self.init(.malformedInput, "\(path): a line is longer than 4000 bytes")
        case .key(let failure): self.init(failure, unlockingBy: secret ?? path)
        case .document(.machine(let failure)): self.init(failure)
        case .document(let failure):
            self.init(.malformedInput, "\(path) cannot be read: \(failure.text)")
        case .documentTooLarge: self.init(.malformedInput, "\(path) is larger than 4 MiB")
        case .noKeys: self.init(.malformedInput, "\(path) holds no keys")
        case .differentFile:
            self.init(
                .malformedInput,
                "\(path) is not the file that was loaded under this name before, or it was changed",
                hint: "load it under another --name, or take the first file again"
            )
        case .inUse:
            self.init(.tryLater, "somebody else is loading under this name")
        }
    }
}

extension CommandFailure {
    private init(_ failure: KeyFile.Failure, unlockingBy path: String) {
        switch failure {
        case .file(.missing): self.init(.noInput, "\(path) is not there")
        case .file(let failure): self.init(failure, of: .file(path))
        case .machine(let failure): self.init(failure)
        case .empty: self.init(.malformedInput, "\(path) is empty")
        case .tooLong: self.init(.malformedInput, "\(path) is longer than 4 KiB")
        case .malformedLine, .wrongLength, .repeatedVersion, .otherNewest, .notAKey:
            self.init(
                .malformedInput,
                "\(path) is not what opens the other file",
                hint: "a password is in one line, and so is a key, in hexadecimal"
            )
        }
    }
}

extension LoadFailure.HeaderFailure {
    fileprivate var text: String {
        switch self {
        case .absent: "there is no line that names the columns"
        case .quoting: "a quote is not where one may be in the line that names the columns"
        case .unknownColumn(let number): "column \(number) has a name that is unknown"
        case .repeatedColumn(let name): "there are two columns \(name)"
        case .missingColumn(let name): "there is no column \(name)"
        case .twoSecrets: "a secret is in one column, in hexadecimal or in base32"
        }
    }
}

extension PSKCDocument.ReadingFailure {
    fileprivate var text: String {
        switch self {
        case .tooLarge: "it is too large or too deep"
        case .encodingRefused: "it is not in UTF-8"
        case .notXML(let line): "line \(line) is not XML"
        case .doctypeRefused: "a DOCTYPE is not taken"
        case .notPSKC: "it is no PSKC document"
        case .unexpectedElement(let line): "line \(line) holds something that is not understood"
        case .missing(let name, let line): "\(name) is missing in line \(line)"
        case .malformed(let name, let line): "\(name) is malformed in line \(line)"
        case .duplicateKeyID(let line): "the key in line \(line) has the id of another"
        case .unsupportedAlgorithm(_, let line): "line \(line) names an unknown algorithm"
        case .preSharedKeyNeeded: "it is encrypted: --key opens it"
        case .passwordNeeded: "it is encrypted: --password opens it"
        case .wrongKeyLength(let count): "it takes a key of \(count) bytes"
        case .iterationsOutOfRange: "its password is derived in too many steps, or too few"
        case .macMissing(let line): "line \(line) has no MAC, so it may have been changed"
        case .macMismatch: "the key or the password is wrong, or it was changed"
        case .machine: "this machine cannot"
        }
    }
}
