import FoundationEssentials

/// Test vectors in the format that Vectors/README.md describes.
package struct VectorFile: Sendable {
    package struct Failure: Error, Equatable, Sendable {
        /// The row that is malformed, counted from 1; nil where it is the file.
        package let row: Int?
        package let reason: String
    }

    package let type: String
    package let source: String
    let cases: [VectorCase]
    private let vectorType: VectorType

    package init(reading bytes: [UInt8]) throws(Failure) {
        let document = try Self.decode(Document.self, from: bytes)
        guard let vectorType = VectorType.all.first(where: { $0.name == document.type }) else {
            throw Failure(row: nil, reason: "the type \"\(document.type)\" is unknown")
        }
        var cases: [VectorCase] = []
        for (index, fields) in document.cases.enumerated() {
            do throws(VectorCase.Malformed) {
                cases.append(try VectorCase(fields, of: vectorType))
            } catch {
                throw Failure(row: index + 1, reason: error.reason)
            }
        }
        type = document.type
        source = document.source
        self.cases = cases
        self.vectorType = vectorType
    }

    /// Runs every row and tells those that failed.
    package func run() async -> Report {
        var failedRows: [Int] = []
        for (index, row) in cases.enumerated() {
            let outcome = await vectorType.outcome(of: row)
            if outcome != row.expected { failedRows.append(index + 1) }
        }
        return Report(source: source, caseCount: cases.count, failedRows: failedRows)
    }

    /// What came of one file.
    package struct Report: Equatable, Sendable {
        package let source: String
        package let caseCount: Int
        package let failedRows: [Int]

        package var passedCount: Int { caseCount - failedRows.count }
    }
}

extension VectorFile {
    private struct Document: Decodable {
        let type: String
        let source: String
        let note: String?
        let cases: [[String: VectorCase.Value]]
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8]
    ) throws(Failure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw Failure(error)
        } catch {
            throw Failure(row: nil, reason: "it is not JSON")
        }
    }
}

extension VectorFile.Failure {
    fileprivate init(_ error: DecodingError) {
        let path: [any CodingKey]
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self.init(row: nil, reason: "it is not JSON")
            return
        case .keyNotFound(let key, _):
            self.init(row: nil, reason: "the field \"\(key.stringValue)\" is missing")
            return
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            path = context.codingPath
        @unknown default: path = []
        }
        let name = path.last?.stringValue ?? "the document"
        self.init(
            row: path.lazy.compactMap(\.intValue).first.map { $0 + 1 },
            reason: "the field \"\(name)\" has the wrong kind"
        )
    }
}
