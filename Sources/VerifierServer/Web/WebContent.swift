package import Cryptography
package import PrivateFiles

/// Why the files of the web device cannot be served.
package enum WebFailure: Error, Equatable, Sendable {
    /// The list of this build is empty.
    case noFiles
    case file(FileFailure, path: String)
    /// The list has another SHA-256.
    case otherContent(path: String)
    case system(SystemFailure)
}

/// The files of the web device, read once and held in memory (SEC-114).
///
/// A file is there only if the list has its SHA-256. So a program that can write to the folder cannot
/// change the page, and a path never reaches the file system.
struct WebContent: Sendable {
    /// The bytes of a file, plain or compressed.
    struct Copy: Sendable {
        let bytes: [UInt8]
        /// The value of `ETag`.
        let tag: String
    }

    struct File: Sendable {
        let type: String
        let isImmutable: Bool
        let plain: Copy
        let compressed: Copy?
    }

    /// The file for the URL of the folder.
    static let indexPath = "index.html"
    static let compressedSuffix = ".gz"
    static let maximumBytesInFile = 4 << 20

    private let files: [String: File]

    init(_ list: [WebFile], in folder: String) throws(WebFailure) {
        guard !list.isEmpty else { throw .noFiles }
        var copies: [String: Copy] = [:]
        for file in list { copies[file.path] = try Self.copy(of: file, in: folder) }
        var files: [String: File] = [:]
        for file in list where !file.path.hasSuffix(Self.compressedSuffix) {
            guard let plain = copies[file.path] else { continue }
            files[file.path] = File(
                type: file.type,
                isImmutable: file.isImmutable,
                plain: plain,
                compressed: copies[file.path + Self.compressedSuffix]
            )
        }
        self.files = files
    }

    subscript(path: String) -> File? { files[path] }

    private static func copy(
        of file: WebFile,
        in folder: String
    ) throws(WebFailure) -> Copy {
        let path = "\(folder)/\(file.path)"
        let bytes: [UInt8]
        do throws(FileFailure) {
            let file = try FileDescriptor(reading: path)
            let count = try file.byteCount()
            guard count <= maximumBytesInFile else { throw .tooLarge }
            // The array keeps the memory of the limit.
            bytes = try file.contents(atMost: count)
        } catch {
            throw .file(error, path: path)
        }
        let digest: Digest
        do throws(CryptographyFailure) {
            digest = try HashAlgorithm.sha256.digest(of: bytes.span)
        } catch {
            throw .system(SystemFailure(error))
        }
        let hash = TextEncoding.hexadecimal.encode(digest.array.span)
        guard hash == file.sha256 else { throw .otherContent(path: path) }
        return Copy(bytes: bytes, tag: "\"\(hash.prefix(32))\"")
    }
}
