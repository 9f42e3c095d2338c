import Foundation
import SelfTest
import Testing

/// Every row of every file in `Vectors/`, each as a separate test case.
@Suite struct `Vectors` {
    @Test(arguments: try Row.all)
    func `have the expected results`(row: Row) async throws {
        #expect(try await row.file.passes(row: row.number))
    }

    @Test func `are embedded in the program`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Row.folder.path)
            .filter { $0.hasSuffix(".json") }
        #expect(Set(names) == Set(VectorFile.builtIn.map(\.name)))
        for (name, bytes) in VectorFile.builtIn {
            let onDisk = try Data(contentsOf: Row.folder.appendingPathComponent(name))
            #expect(bytes == [UInt8](onDisk), "\(name)")
        }
    }

    @Test(arguments: VectorFile.builtIn.map(\.name))
    func `are counted in their README`(name: String) throws {
        let table = try String(
            contentsOf: Row.folder.appendingPathComponent("README.md"),
            encoding: .utf8
        )
        let file = try Data(contentsOf: Row.folder.appendingPathComponent(name))
        let document = try JSONSerialization.jsonObject(with: file) as? [String: Any]
        let cases = try #require(document?["cases"] as? [[String: Any]])
        let refused = cases.filter { $0["expect"] as? String == "reject" }
        #expect(table.contains("| `\(name)` | \(cases.count) | \(refused.count) |"))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let file: VectorFile
        let number: Int

        var testDescription: String { "\(name), row \(number)" }

        static let folder = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../Vectors").standardized

        static var all: [Row] {
            get throws {
                try VectorFile.builtIn.flatMap { name, bytes in
                    let file = try VectorFile(reading: bytes)
                    return file.rows.map { Row(name: name, file: file, number: $0) }
                }
            }
        }
    }
}
