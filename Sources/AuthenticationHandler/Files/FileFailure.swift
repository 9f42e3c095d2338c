import Glibc

/// Why a file of ours cannot be read or written; nothing of what was there has changed.
enum FileFailure: Error, Equatable, Sendable {
    /// Somebody else could read it, or have put it there.
    case unsafe(UnsafeFile)
    /// No program of ours gives such a name.
    case foreign
    /// Larger than anything that is written here.
    case tooLarge
    case full
    /// Another program, or another operation of this one, holds the lock for too long.
    case locked
    /// The system refuses; by its error number.
    case system(CInt)

    static func last() -> FileFailure {
        switch errno {
        case ENOSPC, EDQUOT: .full
        case ELOOP: .unsafe(.symbolicLink)
        case ENOTDIR: .unsafe(.notRegular)
        default: .system(errno)
        }
    }
}

extension FileFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .unsafe(.symbolicLink): "a symbolic link in the place of a file or folder"
        case .unsafe(.notRegular): "something else in the place of a file or folder"
        case .unsafe(.foreignOwner): "a file or folder of another user"
        case .unsafe(.openToOthers): "a file or folder that others may read or change"
        case .unsafe(.hardLinked): "a file with two names"
        case .unsafe(.folderOpenToOthers): "a folder that others may change"
        case .foreign: "a file that is not of this program"
        case .tooLarge: "a file that is too large"
        case .full: "no space is left"
        case .locked: "another program is at it"
        case .system(let number): String(cString: strerror(number))
        }
    }
}

/// What lets somebody else read or replace a file.
enum UnsafeFile: Equatable, Sendable {
    case symbolicLink
    /// A pipe, a device or a folder in the place of a file, or no folder in the place of one.
    case notRegular
    case foreignOwner
    case openToOthers
    case hardLinked
    case folderOpenToOthers
}
