import Glibc

/// Why a private file or folder cannot be read or written; it is unchanged.
package enum FileFailure: Error, Equatable, Sendable {
    /// No such file or folder exists.
    case missing
    /// The name is in use, and the file there is never overwritten.
    case exists
    /// Another user could read or replace it.
    case unsafe(UnsafeFile)
    /// The programs of this package do not use such a file or name.
    case foreign
    case tooLarge
    /// The system denies access to the file or to writing it.
    case readOnly
    case full
    /// Another process or operation held the lock until the timeout.
    case locked
    /// The task was cancelled while it waited for the lock.
    case cancelled
    /// Any other error number of the system.
    case system(CInt)

    /// Translates `errno`.
    package static func last() -> FileFailure { FileFailure(errorNumber: errno) }

    package init(errorNumber: CInt) {
        self =
            switch errorNumber {
            case ENOENT, ENOTDIR: .missing
            case EEXIST: .exists
            case ELOOP: .unsafe(.symbolicLink)
            case EACCES, EPERM, EROFS: .readOnly
            case ENOSPC, EDQUOT, EFBIG: .full
            default: .system(errorNumber)
            }
    }
}

/// How another user could read or replace a file.
package enum UnsafeFile: Equatable, Sendable {
    case symbolicLink
    /// The path leads to a pipe, a device, or a folder instead of a file; or not to a folder.
    case notRegular
    case foreignOwner
    case openToOthers
    case hardLinked
    case folderOpenToOthers
}

extension FileFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "the file or folder does not exist"
        case .exists: "a file of this name exists"
        case .unsafe(.symbolicLink): "a symbolic link is in the place of a file or folder"
        case .unsafe(.notRegular): "the path does not lead to a regular file or folder"
        case .unsafe(.foreignOwner): "another user owns the file or folder"
        case .unsafe(.openToOthers): "other users may read or change the file or folder"
        case .unsafe(.hardLinked): "the file has a second name"
        case .unsafe(.folderOpenToOthers): "other users may change the parent folder"
        case .foreign: "the file does not belong to this program"
        case .tooLarge: "the file is too large"
        case .readOnly: "access is denied"
        case .full: "no space is left on the disk"
        case .locked: "another program holds the lock"
        case .cancelled: "the operation was cancelled"
        case .system(let number): String(cString: strerror(number))
        }
    }
}
