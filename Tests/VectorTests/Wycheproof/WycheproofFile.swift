import Cryptography
import Foundation

/// A file of Wycheproof: rows in groups that share parameters.
///
/// `Parameters` and `Fields` are the file type's values per group and per row.
struct WycheproofFile<Parameters: Decodable, Fields: Decodable>: Decodable {
    let numberOfTests: Int
    let testGroups: [Group]

    struct Group: Decodable {
        let parameters: Parameters
        let tests: [Row]

        private enum CodingKeys: CodingKey { case tests }

        init(from decoder: any Decoder) throws {
            parameters = try Parameters(from: decoder)
            tests = try decoder.container(keyedBy: CodingKeys.self).decode(
                [Row].self,
                forKey: .tests
            )
        }
    }

    struct Row: Decodable {
        let number: Int
        let comment: String
        let flags: [String]
        let expectation: WycheproofExpectation
        let fields: Fields

        private enum CodingKeys: String, CodingKey {
            case number = "tcId"
            case comment, flags
            case expectation = "result"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            comment = try container.decode(String.self, forKey: .comment)
            flags = try container.decode([String].self, forKey: .flags)
            expectation = try container.decode(WycheproofExpectation.self, forKey: .expectation)
            fields = try Fields(from: decoder)
        }
    }
}

enum WycheproofExpectation: String, Decodable, CaseIterable {
    case valid, invalid
    /// Valid by one rule and invalid by another: both results are correct.
    case acceptable
}

/// Bytes that a file contains as hexadecimal text.
struct Hexadecimal: Decodable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        bytes = try TextEncoding.hexadecimal.decode(text)
    }
}

/// For groups without parameters.
struct NoParameters: Decodable {}
