import Foundation
import PrivateFiles

/// The package as it is on disk.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let sources = root.appending(path: "Sources")

    static var path: String { root.path }

    static func manifest() throws -> String {
        try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    }

    static func text(of file: String) throws -> String {
        try String(contentsOf: root.appending(path: file), encoding: .utf8)
    }

    static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The sources of tests by the file's path in `Tests` without its ending.
    static func tests() throws -> [String: String] {
        try cachedTests.get()
    }

    private static let cachedTests = Result { try readTests() }

    private static func readTests() throws -> [String: String] {
        let folder = root.appending(path: "Tests")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try files.reduce(into: [:]) { tests, file in
            // Tests of pages in a browser are in Python; other Python files are tools of tests.
            let name = file.wholeMatch(of: /(.+)\.swift|(\w+Tests\/test_\w+)\.py/)
            guard let name = name.flatMap({ $0.1 ?? $0.2 }) else { return }
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            tests[String(name)] = text
        }
    }

    /// The folders of `Sources`.
    static func targets() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: sources.path))
    }

    static func isCModule(_ target: String) throws -> Bool {
        try files(of: target).contains("module.modulemap")
    }

    /// Every file of a target, by its path below the target's folder.
    static func files(of target: String) throws -> Set<String> {
        let folder = sources.appending(path: target).path
        return Set(try FileManager.default.subpathsOfDirectory(atPath: folder))
    }

    /// Every Swift source of a target, by its path below the target's folder.
    static func swiftSources(of target: String) throws -> [String: SwiftSource] {
        try cachedSources.withLock { cache in
            if let sources = cache[target] { return sources }
            let sources = try texts(of: target).filter { $0.key.hasSuffix(".swift") }
                .mapValues { try SwiftSource($0) }
            cache[target] = sources
            return sources
        }
    }

    private static let cachedSources = LockedValue<[String: [String: SwiftSource]]>([:])

    /// Everything of a target that is text, by its path below the target's folder.
    static func texts(of target: String) throws -> [String: String] {
        let folder = sources.appending(path: target)
        var texts: [String: String] = [:]
        for file in try files(of: target) {
            // Folders and binary files cannot be read as text.
            texts[file] = try? String(contentsOf: folder.appending(path: file), encoding: .utf8)
        }
        return texts
    }
}
