import Foundation
import OneTimePassword
import Testing

/// A document of a vector file, with what opens it and what it says.
struct DocumentVector: Decodable, Sendable {
    let document: String
    let preSharedKeyHex: String?
    let password: String?
    let id: String?
    /// Absent where the document must be refused.
    let keys: [KeyFacts]?
    let reason: String?
    let comment: String?

    static func load(_ name: String) throws -> [DocumentVector] {
        let folder = URL(filePath: #filePath).appending(path: "../../../../Vectors").standardized
        let file = try Data(contentsOf: folder.appending(path: name))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(File.self, from: file).cases
    }

    func read() throws -> PSKCDocument {
        let bytes = Array(document.utf8)
        return try PSKCDocument(
            reading: bytes.span,
            unlockedBy: .init(preSharedKeyHex: preSharedKeyHex, password: password)
        )
    }

    private struct File: Decodable {
        let cases: [DocumentVector]
    }
}

extension DocumentVector: CustomTestStringConvertible {
    var testDescription: String { reason ?? comment ?? document }
}

extension PSKCDocument.Unlock {
    init(preSharedKeyHex: String?, password: String?) throws {
        if let preSharedKeyHex {
            self = .preSharedKey(try ForeignSecret(hexadecimal: preSharedKeyHex))
        } else if let password {
            let bytes = Array(password.utf8)
            self = .password(try ForeignSecret(copying: bytes.span))
        } else {
            self = .nothing
        }
    }
}
