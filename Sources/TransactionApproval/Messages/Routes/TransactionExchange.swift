package import StrictJSON

/// One pending transaction; a decided one is refused with its final state.
package enum TransactionExchange: DeviceExchange {
    package static let route = DeviceRoute.transaction

    package struct Request: DeviceMessage {
        package let transaction: TransactionID

        package init(transaction: TransactionID) {
            self.transaction = transaction
        }
    }

    package struct Answer: DeviceMessage {
        /// Read from its canonical bytes, of which alone anything is shown.
        package let transaction: Transaction
        /// How many digits the person reads on the bank's side and types; nil where there are none.
        package let typedDigits: TypedNumber.Length?

        package init(transaction: Transaction, typedDigits: TypedNumber.Length? = nil) {
            self.transaction = transaction
            self.typedDigits = typedDigits
        }

        /// Base64url makes four characters of three bytes, and the largest transaction must pass.
        package static let limits = StrictJSON.Limits(byteCount: 88 << 10, depth: 4, valueCount: 16)
    }
}
