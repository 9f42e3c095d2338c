import Foundation
import Glibc
import TestSupport
import Testing

@testable import VerifierServer

@Suite struct `The files of the web device` {
    private let folder: WebFolder

    init() throws {
        folder = try WebFolder()
    }

    private func failure(_ list: [WebFile]? = nil) throws -> String {
        let failure = #expect(throws: WebFailure.self) {
            _ = try WebContent(list ?? folder.list, in: folder.path)
        }
        return VerifierServer.Failure(.web(try #require(failure))).message
    }

    @Test func `SEC-114: are those of the list, as they were at the start`() throws {
        let content = try WebContent(folder.list, in: folder.path)
        let page = try #require(content["index.html"])
        _ = try folder.folder.write("changed", to: "index.html")
        #expect(page.plain.bytes == Array(WebFolder.page.utf8))
        #expect(content["index.html"]?.plain.bytes == Array(WebFolder.page.utf8))
        #expect(try page.compressed?.bytes == folder.bytes(of: "index.html.gz"))
        #expect(content["\(WebFolder.hash)/icon.svg"]?.compressed == nil)
        let unlisted = ["index.html.gz", "", "other.html", "../index.html", "/index.html"]
        for path in unlisted { #expect(content[path] == nil, "\(path)") }
    }

    @Test func `SEC-114: stop the start if one was changed by a byte, and name it`() throws {
        for path in folder.list.map(\.path) {
            let file = folder.path + "/" + path
            let original = try folder.bytes(of: path)
            for altered in [
                [original[0] ^ 1] + original.dropFirst(), original.dropLast(), original + [0], [],
            ] {
                try Data(altered).write(to: URL(filePath: file))
                #expect(try failure() == "the web file \(file) is not the file of this build")
            }
            try Data(original).write(to: URL(filePath: file))
        }
        _ = try WebContent(folder.list, in: folder.path)
    }

    @Test func `SEC-114: stop the start if one is missing, too large or not a file`() throws {
        for path in folder.list.map(\.path) {
            let file = folder.path + "/" + path
            let original = try folder.bytes(of: path)
            try FileManager.default.removeItem(atPath: file)
            #expect(try failure() == "the web file \(file) does not exist")
            try FileManager.default.createDirectory(
                atPath: file,
                withIntermediateDirectories: false
            )
            #expect(try failure() == "the web file \(file) is not a regular file")
            try FileManager.default.removeItem(atPath: file)
            #expect(mkfifo(file, 0o600) == 0)
            #expect(try failure().contains(file))
            try FileManager.default.removeItem(atPath: file)
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            #expect(truncate(file, off_t(WebContent.maximumBytesInFile + 1)) == 0)
            #expect(try failure() == "the web file \(file) is too large")
            try Data(original).write(to: URL(filePath: file))
        }
    }

    @Test func `are an error of the configuration if the build has none`() throws {
        let message = "this build has no files of the web device, so it cannot serve them"
        #expect(try failure([]) == message)
        #expect(VerifierServer.Failure(.web(.noFiles)).code == .invalidConfiguration)
    }

    @Test func `use about as much memory as their size`() throws {
        let content = try WebContent(folder.list, in: folder.path)
        for file in folder.list where !file.path.hasSuffix(".gz") {
            let bytes = try #require(content[file.path]).plain.bytes
            #expect(bytes.capacity < 2 * bytes.count + 64)
        }
    }

    @Test func `are next to the bin of the program, unless the configuration names a folder`() {
        let path = VerifierServer.Configuration.Web.packagedFiles
        let program = ProcessInfo.processInfo.arguments[0]
        let bin = (program as NSString).deletingLastPathComponent as NSString
        #expect(path.hasPrefix("/"))
        #expect(path.hasSuffix("/share/countersign/web"))
        #expect(!path.contains(bin.lastPathComponent + "/share"))
    }
}
