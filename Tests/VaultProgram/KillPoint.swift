import Glibc
import Synchronization

/// The write before which this process is killed.
///
/// It counts operations that change the disk or send a request. These functions replace those of
/// the C library in this program, and the product does not know them.
enum KillPoint {
    private static let writesLeft = Atomic(Int.max)

    static func arm(afterWrites count: Int) {
        writesLeft.store(count, ordering: .relaxed)
    }

    fileprivate static func pass() {
        if writesLeft.subtract(1, ordering: .relaxed).oldValue == 0 { kill(getpid(), SIGKILL) }
    }
}

@_cdecl("write")
func countedWrite(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    KillPoint.pass()
    if file == STDOUT_FILENO {
        DiskOrder.end(by: writeUncounted)
    } else {
        DiskOrder.note("write", file)
    }
    return libraryWrite(file, bytes, count)
}

private func writeUncounted(_ line: String) {
    var line = line
    line.withUTF8 { _ = libraryWrite(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

@_cdecl("pwrite")
func countedPositionedWrite(
    _ file: CInt,
    _ bytes: UnsafeRawPointer?,
    _ count: Int,
    _ offset: off_t
) -> Int {
    KillPoint.pass()
    DiskOrder.note("write", file)
    return libraryPositionedWrite(file, bytes, count, offset)
}

@_cdecl("fsync")
func countedSynchronisation(_ file: CInt) -> CInt {
    KillPoint.pass()
    DiskOrder.note("sync", file)
    return librarySynchronisation(file)
}

@_cdecl("renameat")
func countedRenaming(
    _ folder: CInt,
    _ name: UnsafePointer<CChar>?,
    _ newFolder: CInt,
    _ newName: UnsafePointer<CChar>?
) -> CInt {
    KillPoint.pass()
    DiskOrder.note("rename", folder, name)
    return libraryRenaming(folder, name, newFolder, newName)
}

@_cdecl("unlinkat")
func countedRemoval(_ folder: CInt, _ name: UnsafePointer<CChar>?, _ flags: CInt) -> CInt {
    KillPoint.pass()
    let result = libraryRemoval(folder, name, flags)
    // A file that did not exist changes nothing.
    if result == 0 { DiskOrder.note("remove", folder, name) }
    return result
}

@_cdecl("mkdir")
func countedFolder(_ path: UnsafePointer<CChar>?, _ mode: mode_t) -> CInt {
    KillPoint.pass()
    return libraryFolder(path, mode)
}

// The C library has these functions, with these types.
private let libraryWrite = next(
    "write",
    as: (@convention(c) (CInt, UnsafeRawPointer?, Int) -> Int).self
)
private let libraryPositionedWrite = next(
    "pwrite",
    as: (@convention(c) (CInt, UnsafeRawPointer?, Int, off_t) -> Int).self
)
private let librarySynchronisation = next("fsync", as: (@convention(c) (CInt) -> CInt).self)
private let libraryRenaming = next(
    "renameat",
    as: (@convention(c) (CInt, UnsafePointer<CChar>?, CInt, UnsafePointer<CChar>?) -> CInt).self
)
private let libraryRemoval = next(
    "unlinkat",
    as: (@convention(c) (CInt, UnsafePointer<CChar>?, CInt) -> CInt).self
)
private let libraryFolder = next(
    "mkdir",
    as: (@convention(c) (UnsafePointer<CChar>?, mode_t) -> CInt).self
)

private func next<Function>(_ name: String, as type: Function.Type) -> Function {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT, a macro
    return unsafeBitCast(dlsym(next, name), to: type)
}
