package import CommandLineTool
import FailureTranslation
package import PrivateFiles
import ServerOperation

// The table of failures of files: exit code, message and hint.

/// Translates the failures of a file that a command creates.
package func onNewFile<Outcome: ~Copyable>(
    _ path: String,
    _ body: @autoclosure () throws(FileFailure) -> Outcome
) throws(CommandFailure) -> Outcome {
    try translating(body()) { CommandFailure($0, creating: path) }
}

extension CommandFailure {
    /// A failure of a file that a command creates.
    package init(_ failure: FileFailure, creating path: String) {
        switch failure {
        case .missing:
            self.init(
                .cannotCreate,
                "cannot create \(path): its folder does not exist",
                hint: CommandFailure.hintForNewFolder
            )
        case .readOnly:
            self.init(.noPermission, "cannot open \(path) for writing", hint: failure.hint)
        default: self.init(failure, of: path)
        }
    }

    /// A failure of a file that exists, if nothing is wrong.
    package init(_ failure: FileFailure, of path: String) {
        self.init(failure.exitCode, failure.message(about: path), hint: failure.hint)
    }

    static let hintForNewFolder = "create the folder with mkdir -m 700"
}

extension FileFailure {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .missing, .unsafe(.notRegular): .noInput
        case .exists: .cannotCreate
        case .unsafe, .readOnly, .readOnlyDisk: .noPermission
        case .foreign: .malformedInput
        case .full, .tooLarge, .cancelled, .errorNumber: .inputOutput
        case .locked: .tryLater
        }
    }

    fileprivate func message(about path: String) -> String {
        switch self {
        case .locked: "timeout: other processes use \(path)"
        case .tooLarge, .cancelled: "cannot read or write \(path)"
        case .errorNumber(let number): "cannot read or write \(path) (\(systemMessage(number)))"
        case .missing, .exists, .unsafe, .foreign, .readOnly, .readOnlyDisk, .full:
            sentence(about: path)
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .exists: CommandFailure.hintForUsedName
        case .unsafe(let reason): reason.hint
        case .readOnly: CommandFailure.hintForDeniedFile
        case .readOnlyDisk: CommandFailure.hintForReadOnlyDisk
        case .full: CommandFailure.hintForFullDisk
        case .locked: "repeat the command"
        case .tooLarge, .cancelled, .errorNumber: CommandFailure.hintForDisk
        case .missing, .foreign: nil
        }
    }
}

extension CommandFailure {
    static let hintForUsedName = "choose another name; existing files are never overwritten"
    static let hintForDeniedFile =
        "run this as the owner of the file, and check its permissions and those of its folder"
    static let hintForReadOnlyDisk = "make its disk writable, or use another folder"
    static let hintForFullDisk = "free some space and repeat the command; no data was lost"
    static let hintForDisk = "check the disk"
}

extension UnsafeFile {
    package var hint: String? {
        switch self {
        case .openToOthers: "run chmod 600 on it"
        case .folderOpenToOthers: "run chmod 700 on the folder"
        case .foreignOwner: "run this as the owner of the file"
        case .symbolicLink: "name the target of the link"
        case .notRegular: "correct the path: it must name a file"
        case .hardLinked: "copy it to a new file"
        }
    }
}
