import ThreeDSIssuer
import Transactions

/// An audit record in JSON and in tables.
struct ShownRecord: Encodable {
    let number: Int64
    let time: Timestamp
    let authentication: String?
    let card: String?
    let step: String
    let details: [String]
    private let subject: String

    private enum CodingKeys: CodingKey {
        case number, time, authentication, card, step, details
    }

    init(_ numbered: RecordTable.NumberedRecord) {
        let record = numbered.record
        (number, time) = (numbered.number, record.time)
        (step, details) = (record.step.rawValue, record.details)
        subject = record.subject.text
        switch record.subject {
        case .authentication(let id): (authentication, card) = (id, nil)
        case .card(let reference): (authentication, card) = (nil, reference.text)
        }
    }

    static let heading = ["RECORD", "TIME", "SUBJECT", "STEP", "DETAILS"]

    var columns: [String] {
        ["\(number)", time.text, subject, step, details.joined(separator: " ")]
    }
}
