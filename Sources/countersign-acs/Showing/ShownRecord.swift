import ThreeDSIssuer
import Transactions

/// An audit record in JSON and in tables.
struct ShownRecord: Encodable {
    let number: Int64
    let time: Timestamp
    private(set) var authentication: String?
    private(set) var card: String?
    /// The number of a key for authentication values.
    private(set) var valueKey: UInt8?
    let step: String
    let details: [String]
    private let subject: String

    private enum CodingKeys: CodingKey {
        case number, time, authentication, card, valueKey, step, details
    }

    init(_ numbered: RecordTable.NumberedRecord) {
        let record = numbered.record
        (number, time) = (numbered.number, record.time)
        (step, details) = (record.step.rawValue, record.details)
        subject = record.subject.text
        switch record.subject {
        case .authentication(let id): authentication = id
        case .card(let reference): card = reference.text
        case .valueKey(let number): valueKey = number
        }
    }

    static let heading = ["RECORD", "TIME", "SUBJECT", "STEP", "DETAILS"]

    var columns: [String] {
        ["\(number)", time.text, subject, step, details.joined(separator: " ")]
    }
}
