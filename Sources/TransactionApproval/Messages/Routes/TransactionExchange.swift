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

    package struct Response: DeviceMessage {
        private let bytes: CanonicalBytes
        /// How many digits the person reads on the bank's side and types; nil where there are none.
        package let typedDigits: TypedNumber.Length?

        package init(transaction: Transaction, typedDigits: TypedNumber.Length? = nil) {
            bytes = CanonicalBytes(wireBytes: transaction.canonicalBytes)
            self.typedDigits = typedDigits
        }

        /// Read from its canonical bytes, of which alone anything is shown; nil where they break a
        /// rule that this device has for them.
        package var transaction: Transaction? { Transaction(wireBytes: bytes.wireBytes) }

        private enum CodingKeys: String, CodingKey {
            case bytes = "transaction"
            case typedDigits
        }

        /// Base64url makes four characters of three bytes, and the largest transaction must pass.
        package static let limits = StrictJSON.Limits(byteCount: 88 << 10, depth: 4, valueCount: 16)
    }
}

/// The bytes of a transaction before anybody reads them: that they break a rule must not make the
/// message one that nobody sent.
private struct CanonicalBytes: BinaryMember, Equatable, Sendable {
    let wireBytes: [UInt8]
}
