import FoundationEssentials
package import OneTimePassword

/// Test vectors in the format that Vectors/README.md describes.
package struct VectorFile: Sendable {
    package struct Failure: Error, Equatable, Sendable {
        /// The row that is malformed, counted from 1; nil where it is the file.
        package let row: Int?
        package let reason: String

        package init(row: Int?, reason: String) {
            self.row = row
            self.reason = reason
        }
    }

    package let type: String
    package let source: String
    private let cases: [VectorCase]
    private let vectorType: VectorType

    package init(reading bytes: [UInt8]) throws(Failure) {
        let document = try Self.decode(Document.self, from: bytes)
        guard let vectorType = VectorType.all.first(where: { $0.name == document.type }) else {
            throw Failure(row: nil, reason: "the type \"\(document.type.prefix(40))\" is unknown")
        }
        var cases: [VectorCase] = []
        guard !document.cases.isEmpty else { throw Failure(row: nil, reason: "it has no cases") }
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

    /// The rows, counted from 1 as people count them.
    package var rows: ClosedRange<Int> { 1...cases.count }

    /// Whether the row comes out as the file says.
    ///
    /// Throws where the machine fails, which is neither an answer nor a refusal.
    package func passes(row: Int) async throws(MachineFailure) -> Bool {
        let expectation = cases[row - 1]
        return try await vectorType.outcome(of: expectation) == expectation.expected
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
        let name = path.last.map { "field \"\($0.stringValue.prefix(40))\"" } ?? "document"
        self.init(
            row: path.lazy.compactMap(\.intValue).first.map { $0 + 1 },
            reason: "the \(name) has the wrong kind"
        )
    }
}
