import Glibc

/// An open file that only its owner can read, write or replace.
package final class PrivateFile: Sendable {
    package let descriptor: FileDescriptor

    package init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    package enum Access: Sendable {
        case reading, writing

        // Opening a pipe by mistake must not wait for its other end.
        fileprivate var flags: CInt { (self == .reading ? O_RDONLY : O_RDWR) | O_NONBLOCK }
    }

    /// Opens an existing file.
    package init(_ path: String, for access: Access) throws(FileFailure) {
        try Self.checkFolder(of: path)
        let flags = access.flags | O_NOFOLLOW | O_CLOEXEC
        descriptor = try FileDescriptor(open(path, flags))
        try descriptor.check(.file)
    }

    /// Creates a new file; fails if the name is in use.
    package init(creating path: String) throws(FileFailure) {
        try Self.checkFolder(of: path)
        let flags = O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC
        descriptor = try FileDescriptor(open(path, flags, S_IRUSR | S_IWUSR))
    }

    /// Opens a file whose writes go to its end; creates it if it does not exist.
    package init(appendingTo path: String) throws(FileFailure) {
        try Self.checkFolder(of: path)
        let flags = O_CREAT | O_APPEND | Access.writing.flags | O_NOFOLLOW | O_CLOEXEC
        descriptor = try FileDescriptor(open(path, flags, S_IRUSR | S_IWUSR))
        try descriptor.check(.file)
    }

    private static func checkFolder(of path: String) throws(FileFailure) {
        guard !path.utf8.contains(0) else { throw .missing }
        try ParentFolder(of: path).check()
    }
}
