import Glibc

/// Why a private file or folder cannot be read or written; it has its old or its new contents.
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
    /// The disk, or its mount, is read-only.
    case readOnlyDisk
    case full
    /// Another process or operation held the lock until the timeout.
    case locked
    /// The task was cancelled while it waited for the lock.
    case cancelled
    /// Any other `errno`.
    case errorNumber(CInt)

    /// Translates `errno`.
    package static func last() -> FileFailure { FileFailure(errorNumber: errno) }

    package init(errorNumber: CInt) {
        self =
            switch errorNumber {
            case ENOENT, ENOTDIR: .missing
            case EEXIST: .exists
            case ELOOP: .unsafe(.symbolicLink)
            case EISDIR: .unsafe(.notRegular)
            case EACCES, EPERM: .readOnly
            case EROFS: .readOnlyDisk
            case ENOSPC, EDQUOT, EFBIG: .full
            default: .errorNumber(errorNumber)
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
    package var description: String { sentence(about: "the file or folder") }

    package func sentence(about name: String) -> String {
        switch self {
        case .missing: "\(name) does not exist"
        case .exists: "\(name) already exists"
        case .unsafe(let file): file.sentence(about: name)
        case .foreign: "\(name) does not belong to this program"
        case .tooLarge: "\(name) is too large"
        case .readOnly: "access to \(name) is denied"
        case .readOnlyDisk: "the disk of \(name) is read-only"
        case .full: "the disk of \(name) is full"
        case .locked: "timeout: another program uses \(name)"
        case .cancelled: "the operation was cancelled"
        case .errorNumber(let number): "cannot access \(name): \(String(cString: strerror(number)))"
        }
    }
}

extension UnsafeFile {
    package func sentence(about name: String) -> String {
        switch self {
        case .openToOthers: "other users can access \(name), or it is an executable file"
        case .folderOpenToOthers: "other users can write to the folder of \(name)"
        case .foreignOwner: "\(name) belongs to another user"
        case .symbolicLink: "\(name) is a symbolic link"
        case .notRegular: "\(name) is not a regular file"
        case .hardLinked: "\(name) has a second hard link"
        }
    }
}
