import Foundation
import SelfTest
import TestSupport
import Testing

/// Every file of `Vectors/Protocol/`, by this package and by another judge.
@Suite struct `Vectors of the protocol` {
    @Test(arguments: try File.all)
    func `come out as they say`(file: File) async throws {
        let vectors = try VectorFile(reading: file.bytes)
        for row in vectors.rows {
            #expect(try await vectors.passes(row: row), "row \(row)")
        }
    }

    @Test(arguments: try File.all)
    func `are counted in their README, with refusals among them`(file: File) throws {
        let table = try String(
            contentsOf: `Vectors`.Row.folder.appendingPathComponent("README.md"),
            encoding: .utf8
        )
        let text = String(decoding: file.bytes, as: UTF8.self)
        let rows = try VectorFile(reading: file.bytes).rows.count
        let refused = text.ranges(of: #""expect":"reject""#).count
        #expect(refused > 0)
        #expect(table.contains("| `Protocol/\(file.name)` | \(rows) | \(refused) |"))
    }

    struct File: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]

        var testDescription: String { name }
        var path: String { Self.folder.appendingPathComponent(name).path }

        static let folder = `Vectors`.Row.folder.appendingPathComponent("Protocol")

        static var all: [File] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
                    File(name: $0, bytes: [UInt8](try Data(contentsOf: folder.appending(path: $0))))
                }
            }
        }
    }
}

/// A program in another language computes the same vectors from the protocol's articles alone: what
/// it and this package agree on is what a device in any language can rely on.
@Suite struct `The judge of the protocol` {
    typealias File = `Vectors of the protocol`.File

    @Test func `comes to what the vectors say`() throws {
        let transactions = `Vectors`.Row.folder.appendingPathComponent("own-transaction.json").path
        let judged = try Self.judge(try File.all.map(\.path) + [transactions])
        #expect(judged.exitCode == 0, "\(judged.output)\(judged.errorOutput)")
        #expect(judged.output.hasSuffix(" rows judged, 0 of them otherwise\n"))
    }

    @Test(arguments: try File.all)
    func `sees that an input was refused`(file: File) throws {
        let text = String(decoding: file.bytes, as: UTF8.self)
            .replacing(#""expect":"reject""#, with: #""expect":"accept""#)
        let folder = try TemporaryFolder()
        let judged = try Self.judge([try folder.write(text, to: file.name)])
        #expect(judged.exitCode == 1)
        #expect(judged.output.contains(": refused\n"), "\(judged.errorOutput)")
    }

    private static func judge(_ files: [String]) throws -> FinishedProcess {
        let program = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../ReferenceChecker/reference_checker.py").standardized.path
        return try FinishedProcess.run("/usr/bin/python3", [program] + files)
    }
}
