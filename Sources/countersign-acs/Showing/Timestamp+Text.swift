import ServerOperation
import Transactions

extension Timestamp {
    /// To the second: `2026-11-22 11:45:03 UTC`.
    var text: String {
        let parts = rfc3339.split(separator: "T")
        return "\(parts[0]) \(parts[1].prefix { $0 != "." }) UTC"
    }
}
