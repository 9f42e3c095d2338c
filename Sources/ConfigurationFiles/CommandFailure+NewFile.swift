package import CommandLineTool
import FailureTranslation
package import PrivateFiles
import ServerOperation

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
        self.init(
            failure.exitCode,
            failure.message(about: path),
            hint: failure.hint
        )
    }
}

extension FileFailure {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .missing, .exists: .cannotCreate
        case .unsafe(.notRegular): .noInput
        case .unsafe, .readOnly: .noPermission
        case .foreign: .malformedInput
        case .full, .tooLarge, .cancelled, .errorNumber: .inputOutput
        case .locked: .tryLater
        }
    }

    fileprivate func message(about path: String) -> String {
        switch self {
        case .missing: "cannot create \(path): its folder does not exist"
        case .readOnly: "cannot open \(path) for writing"
        case .locked: "timeout: other processes use \(path)"
        case .tooLarge, .cancelled: "cannot read or write \(path)"
        case .errorNumber(let number): "cannot read or write \(path) (\(systemMessage(number)))"
        case .exists, .unsafe, .foreign, .full: sentence(about: path)
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .missing: "create the folder with mkdir -m 700"
        case .exists: "choose another name; existing files are never overwritten"
        case .unsafe(let reason): reason.hint
        case .readOnly:
            "run this as the owner of the file, and check the permissions of its folder"
        case .full: "free some space and repeat the command; no data was lost"
        case .locked: "repeat the command"
        case .tooLarge, .cancelled, .errorNumber: "check the disk"
        case .foreign: nil
        }
    }
}

extension UnsafeFile {
    package var hint: String? {
        switch self {
        case .openToOthers: "run chmod 600 on it"
        case .folderOpenToOthers: "run chmod 700 on the folder"
        case .foreignOwner: "run this as the owner of the file"
        case .symbolicLink: "name the target of the link"
        case .notRegular: nil
        case .hardLinked: "copy it to a new file"
        }
    }
}
