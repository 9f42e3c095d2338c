import ThreeDSIssuer
import Transactions

/// An audit record in JSON and in tables.
struct ShownRecord: Encodable {
    let number: Int64
    let time: Timestamp
    let authentication: String
    let step: String
    let details: [String]

    init(_ numbered: RecordTable.NumberedRecord) {
        let record = numbered.record
        (number, time, authentication) = (numbered.number, record.time, record.authentication)
        (step, details) = (record.step.rawValue, record.details)
    }

    static let heading = ["RECORD", "TIME", "AUTHENTICATION", "STEP", "DETAILS"]

    var columns: [String] {
        ["\(number)", time.text, authentication, step, details.joined(separator: " ")]
    }
}
