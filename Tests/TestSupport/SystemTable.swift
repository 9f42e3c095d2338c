import Foundation

/// A file of the system without a length, such as /proc/net/tcp.
///
/// A `String` or `Data` of such a file has only its first 4 KiB.
package func systemTable(_ path: String) throws -> String {
    struct Missing: Error {}
    guard let file = FileHandle(forReadingAtPath: path) else { throw Missing() }
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
}
