package import Foundation
package import SelfTest
import Testing

/// A row of a file in `Vectors/`, as a test case of its own.
package struct VectorRow: CustomTestStringConvertible, Sendable {
    private let name: String
    private let file: VectorFile
    private let number: Int

    package var testDescription: String { "\(name), row \(number)" }

    package static let folder = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../Vectors").standardized

    package static func all(in vectors: VectorSet) throws -> [VectorRow] {
        try vectors.files.flatMap { name, bytes in
            let file = try vectors.read(bytes)
            return file.rows.map { VectorRow(name: name, file: file, number: $0) }
        }
    }

    package func passes() async throws -> Bool { try await file.passes(row: number) }
}

/// The files of `Vectors/` from which a program has its vectors.
package struct VectorFolder: Sendable {
    private let vectors: VectorSet
    private let path: URL

    package init(_ name: String = "", of vectors: VectorSet) {
        self.vectors = vectors
        path = VectorRow.folder.appending(path: name)
    }

    package func expectToBeInTheProgram() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: path.path)
            .filter { $0.hasSuffix(".json") }
        #expect(Set(names) == Set(vectors.files.map(\.name)))
        for (name, bytes) in vectors.files {
            #expect(bytes == [UInt8](try Data(contentsOf: path.appending(path: name))), "\(name)")
        }
    }

    /// The README has the numbers of all rows and of refused rows.
    package func expectCounts(of name: String) throws {
        let table = try String(
            contentsOf: VectorRow.folder.appending(path: "README.md"),
            encoding: .utf8
        )
        let file = try Data(contentsOf: path.appending(path: name))
        let document = try JSONSerialization.jsonObject(with: file) as? [String: Any]
        let cases = try #require(document?["cases"] as? [[String: Any]])
        let refused = cases.filter { $0["expect"] as? String == "reject" }
        #expect(table.contains("| `\(name)` | \(cases.count) | \(refused.count) |"))
    }
}
