import Foundation
import OneTimePassword
import OneTimePasswordFormats
import Testing
import VectorTesting

/// Documents of other systems, with the values that an independent reader found.
struct ExtraDocuments: Decodable {
    let documents: [Document]
    let mustReject: [Document]

    struct Document: Decodable, Sendable {
        let file: String
        let containerId: String?
        let keys: [KeyFacts]?
        let transportKeyHex: String?
        let password: String?
    }

    /// Empty if the extra vectors are missing.
    static func load() throws -> ExtraDocuments {
        guard ExtraVectors.folder != nil else {
            return ExtraDocuments(documents: [], mustReject: [])
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let table = try ExtraVectors.read("pskc/expected.json")
        return try decoder.decode(ExtraDocuments.self, from: table)
    }
}

extension ExtraDocuments.Document: CustomTestStringConvertible {
    var testDescription: String { file }

    var unlock: PSKCDocument.Unlock {
        get throws { try .init(preSharedKeyHex: transportKeyHex, password: password) }
    }

    func read(unlockedBy unlock: PSKCDocument.Unlock) throws -> PSKCDocument {
        let bytes = Array(try ExtraVectors.read("pskc/" + file))
        return try PSKCDocument(reading: bytes.span, unlockedBy: unlock)
    }
}

extension PSKCDocument.Unlock {
    init(preSharedKeyHex: String?, password: String?) throws {
        if let preSharedKeyHex {
            self = .preSharedKey(try SecretBytes(hexadecimal: preSharedKeyHex))
        } else if let password {
            let bytes = Array(password.utf8)
            self = .password(try SecretBytes(copying: bytes.span))
        } else {
            self = .nothing
        }
    }
}
