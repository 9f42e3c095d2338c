import Cryptography
import Foundation
import TestSupport

@testable import VerifierServer

/// A folder of files as a build makes it, with their list.
struct WebFolder {
    let folder: TemporaryFolder
    private(set) var list: [WebFile] = []

    var path: String { folder.path }

    static let hash = "4b0c9a2f"
    static let page = "<!doctype html><title>Approve</title>" + String(repeating: " ", count: 500)
    static let script = "export const version = 1;" + String(repeating: "\n", count: 400)

    /// A page, a script in the folder of its hash, both with a compressed copy, and an icon.
    init() throws {
        folder = try TemporaryFolder()
        try add(Self.page, as: "index.html", "text/html; charset=utf-8", compressed: true)
        let script = "\(Self.hash)/page.js"
        try add(Self.script, as: script, "text/javascript", isImmutable: true, compressed: true)
        try add("<svg/>", as: "\(Self.hash)/icon.svg", "image/svg+xml", isImmutable: true)
    }

    mutating func add(
        _ text: String,
        as path: String,
        _ type: String,
        isImmutable: Bool = false,
        compressed isCompressed: Bool = false
    ) throws {
        let file = self.path + "/" + path
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(filePath: file))
        try list(path, type, isImmutable)
        guard isCompressed else { return }
        let run = try FinishedProcess.run("gzip", ["-9nk", file])
        guard run.exitCode == 0 else { throw CocoaError(.fileWriteUnknown) }
        try list(path + ".gz", type, isImmutable)
    }

    private mutating func list(_ path: String, _ type: String, _ isImmutable: Bool) throws {
        let bytes = try bytes(of: path)
        let digest = try HashAlgorithm.sha256.digest(of: bytes.span).array
        let hash = TextEncoding.hexadecimal.encode(digest.span)
        list.append(WebFile(path: path, type: type, sha256: hash, isImmutable: isImmutable))
    }

    func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: self.path + "/" + path)))
    }
}
