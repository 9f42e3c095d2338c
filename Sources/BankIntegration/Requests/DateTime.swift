import ServerOperation
package import TransactionApproval

/// A time in the bank's API and in webhooks: RFC 3339, in UTC with milliseconds.
///
/// The device protocol and the audit trail have milliseconds since 1970 instead.
package struct DateTime: Codable, Equatable, Sendable {
    package let moment: Timestamp

    package init(_ moment: Timestamp) {
        self.moment = moment
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let moment = Timestamp(rfc3339: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a time")
            )
        }
        self.moment = moment
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(moment.rfc3339)
    }
}
