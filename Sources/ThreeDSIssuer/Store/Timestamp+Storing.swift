import Storage
import Transactions

extension Timestamp {
    /// In milliseconds since 1970, as columns state it.
    var stored: Int64 { Int64(milliseconds) }
}

extension Row {
    func timestamp(_ column: Column) throws(StoreFailure) -> Timestamp {
        let found = UInt64(exactly: try integer(column)).flatMap { Timestamp(milliseconds: $0) }
        guard let found else { throw .damaged }
        return found
    }
}
