package import BankIntegration
import TransactionApproval

/// The end of a lock: in JSON `{"until":…}` or `{"never":true}`.
///
/// A `LockEnd` has the same members, but the device protocol writes times in another form.
package enum LockResource: Equatable, Sendable {
    case until(DateTime)
    /// Until a new activation.
    case never

    init(_ end: LockEnd) {
        self =
            switch end {
            case .until(let moment): .until(DateTime(moment))
            case .never: .never
            }
    }
}

extension LockResource: Codable {
    private enum CodingKeys: CodingKey {
        case until, never
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard members.contains(.never) else {
            self = .until(try members.decode(DateTime.self, forKey: .until))
            return
        }
        guard try members.decode(Bool.self, forKey: .never) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "never is not true")
            )
        }
        self = .never
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .until(let end): try members.encode(end, forKey: .until)
        case .never: try members.encode(true, forKey: .never)
        }
    }
}
