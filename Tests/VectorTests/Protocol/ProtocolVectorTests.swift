import Foundation
import TestSupport
import Testing
import VectorTesting

@testable import SelfTest

/// Every file of `Vectors/Protocol/`, checked by this package and by the reference checker.
@Suite struct `Vectors of the protocol` {
    @Test(arguments: try File.all)
    func `have the expected results`(file: File) async throws {
        let vectors = try file.vectors()
        for row in vectors.rows {
            #expect(try await vectors.passes(row: row), "row \(row)")
        }
    }

    @Test(arguments: try File.all)
    func `are counted in their README, and include refusals`(file: File) throws {
        let table = try String(
            contentsOf: VectorRow.folder.appendingPathComponent("README.md"),
            encoding: .utf8
        )
        let text = String(decoding: file.bytes, as: UTF8.self)
        let rows = try file.vectors().rows.count
        let refused = text.ranges(of: #""expect":"reject""#).count
        #expect(refused > 0)
        #expect(table.contains("| `Protocol/\(file.name)` | \(rows) | \(refused) |"))
    }

    struct File: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]

        var testDescription: String { name }
        var path: String { Self.folder.appendingPathComponent(name).path }

        func vectors() throws -> VectorFile {
            try VectorFile(reading: bytes, of: VectorType.protocol)
        }

        static let folder = VectorRow.folder.appendingPathComponent("Protocol")

        static var all: [File] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
                    File(name: $0, bytes: [UInt8](try Data(contentsOf: folder.appending(path: $0))))
                }
            }
        }
    }
}

extension VectorType {
    /// The types of the device protocol, which the program does not contain.
    fileprivate static let `protocol` = [
        inBandCode, typedCode, decision, credentialSeed, activationCode, activationURI,
        devicePolicy, activation, rekey, deviceMessage, pushPayload, signedRequest,
        signedResponse,
    ]
}

/// A program in another language computes the same vectors only from the protocol's documentation.
///
/// A device in any language can rely on the results that both agree on.
@Suite struct `The reference checker of the protocol` {
    typealias File = `Vectors of the protocol`.File

    @Test func `computes the expected results`() throws {
        let transactions = VectorRow.folder.appending(path: "own-transaction.json").path
        let checked = try ReferenceChecker.check(try File.all.map(\.path) + [transactions])
        #expect(checked.exitCode == 0, "\(checked.output)\(checked.errorOutput)")
        #expect(checked.output.hasSuffix(" rows checked, 0 different\n"))
    }

    @Test(arguments: try File.all)
    func `notices refused inputs`(file: File) throws {
        let text = String(decoding: file.bytes, as: UTF8.self)
            .replacing(#""expect":"reject""#, with: #""expect":"accept""#)
        let folder = try TemporaryFolder()
        let checked = try ReferenceChecker.check([try folder.write(text, to: file.name)])
        #expect(checked.exitCode == 1)
        #expect(checked.output.contains(": refused\n"), "\(checked.errorOutput)")
    }
}
